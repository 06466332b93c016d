import EssentialFoundation

/// The bodies of requests.
enum RequestXML {
    /// A PROPFIND of properties.
    static func propfind(_ properties: [String]) -> Data { document("D:propfind", prop(properties)) }

    /// A PROPPATCH of the display name.
    static func rename(_ name: String) -> Data {
        document("D:propertyupdate", "<D:set><D:prop><D:displayname>\(escaped(name))</D:displayname></D:prop></D:set>")
    }

    /// A MKCALENDAR for components.
    static func makeCalendar(_ name: String, _ components: [String], _ color: String?) -> Data {
        let set = components.map { #"<C:comp name="\#(escaped($0))"/>"# }.joined()
        let color = color.map { "<A:calendar-color>\(escaped($0))</A:calendar-color>" } ?? ""
        return document(
            "C:mkcalendar",
            "<D:set><D:prop><D:displayname>\(escaped(name))</D:displayname>\(color)"
                + "<C:supported-calendar-component-set>\(set)</C:supported-calendar-component-set></D:prop></D:set>"
        )
    }

    /// A sync-collection of the members' ETags. Without a limit: with one, some servers omit changes without saying so.
    static func syncCollection(since token: String?) -> Data {
        document(
            "D:sync-collection",
            "<D:sync-token>\(escaped(token ?? ""))</D:sync-token><D:sync-level>1</D:sync-level>" + prop(["D:getetag"])
        )
    }

    /// A calendar-multiget.
    static func multiget(_ hrefs: some Collection<CalDAVHref>) -> Data {
        let hrefs = hrefs.map { "<D:href>\(escaped($0.path))</D:href>" }.joined()
        return document("C:calendar-multiget", prop(["D:getetag", "C:calendar-data"]) + hrefs)
    }

    private static func prop(_ names: [String]) -> String {
        "<D:prop>" + names.map { "<\($0)/>" }.joined() + "</D:prop>"
    }

    private static func document(_ root: String, _ content: String) -> Data {
        Data(
            #"<?xml version="1.0" encoding="utf-8"?>\#n<\#(root) \#(XMLName.declarations)>\#(content)</\#(root)>"#.utf8
        )
    }

    /// A text with markup escaped, and without the characters that XML cannot contain.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
