#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes the XML format with the layout of Apple's tools. Equal trees have equal bytes.
enum XMLPropertyListWriter {
    static func write(_ value: PropertyListValue) throws(PropertyListProblem) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        try write(value, "", &text)
        text += "</plist>\n"
        return Array(text.utf8)
    }

    private static func write(
        _ value: PropertyListValue,
        _ indent: String,
        _ text: inout String
    ) throws(PropertyListProblem) {
        guard indent.utf8.count < PropertyListProblem.depthLimit else {
            throw PropertyListProblem("it is nested more than \(PropertyListProblem.depthLimit) deep")
        }
        text += indent
        switch value {
        case .bool(let value): text += value ? "<true/>\n" : "<false/>\n"
        case .integer(let value): text += "<integer>\(value)</integer>\n"
        case .unsigned(let value): text += "<integer>\(value)</integer>\n"
        case .real(let value): text += "<real>\(value)</real>\n"
        case .string(let value): text += "<string>\(try escaped(value))</string>\n"
        case .data(let value): text += "<data>\(value.base64EncodedString())</data>\n"
        case .date(let value):
            guard let date = PropertyListDate.text(value) else {
                throw PropertyListProblem("a date lies outside the years 1 to 9999")
            }
            text += "<date>\(date)</date>\n"
        case .uid: throw PropertyListProblem("XML has no references of keyed archives")
        case .array(let values):
            text += "<array>\n"
            for value in values { try write(value, indent + "\t", &text) }
            text += indent + "</array>\n"
        case .dictionary(let values):
            text += "<dict>\n"
            for (key, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                text += "\(indent)\t<key>\(try escaped(key))</key>\n"
                try write(value, indent + "\t", &text)
            }
            text += indent + "</dict>\n"
        }
    }

    private static func escaped(_ text: String) throws(PropertyListProblem) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\r": result += "&#13;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            default:
                guard scalar.value >= 0x20, scalar.value != 0xFFFE, scalar.value != 0xFFFF else {
                    throw PropertyListProblem("XML cannot hold the character U+\(String(scalar.value, radix: 16))")
                }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
