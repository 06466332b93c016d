import TextEscaping

/// A `response` of a multistatus: resources, and their common status or their properties.
struct DAVResponse {
    /// The hrefs as they were sent; at least one.
    let hrefs: [String]
    /// The status of the resources; nil if they have properties.
    let status: Int?
    /// The status with which the server refuses the resource, or its ETag; nil if it has both.
    let refusal: Int?
    /// The properties with a status of success. A property with another status does not exist.
    let properties: [String: XMLElement]

    /// Reads a `response`.
    init(_ element: XMLElement) throws(ReplyProblem) {
        hrefs = element.children.filter { $0.name == "D:href" }.map(\.trimmedText)
        guard !hrefs.isEmpty, !hrefs.contains("") else { throw .missing("D:href") }
        status = try element["D:status"].map { (status) throws(ReplyProblem) in try DAVResponse.status(status) }
        var properties: [String: XMLElement] = [:]
        var hasProperties = false
        var refusal = status.flatMap { (200..<300).contains($0) ? nil : $0 }
        for propstat in element.children where propstat.name == "D:propstat" {
            hasProperties = true
            guard let status = propstat["D:status"] else { throw .missing("D:status") }
            guard let prop = propstat["D:prop"] else { throw .missing("D:prop") }
            let number = try DAVResponse.status(status)
            guard (200..<300).contains(number) else {
                // A property that does not exist is no refusal.
                if !DAVResponse.isAbsence(number), prop["D:getetag"] != nil { refusal = refusal ?? number }
                continue
            }
            for property in prop.children { properties[property.name] = property }
        }
        guard hasProperties || status != nil else { throw .missing("D:status") }
        (self.properties, self.refusal) = (properties, refusal)
    }

    /// Whether a status says that a resource or a property does not exist. Infomaniak's servers use 418.
    static func isAbsence(_ status: Int?) -> Bool { status == 404 || status == 410 || status == 418 }

    /// The number in `HTTP/1.1 404 Not Found`.
    private static func status(_ element: XMLElement) throws(ReplyProblem) -> Int {
        let words = element.trimmedText.split(separator: " ")
        guard words.count > 1, words[0].hasPrefix("HTTP/"), let status = Int(words[1]), (100..<1000).contains(status)
        else { throw .malformed("\(element.text.quoted()) is not a status", "D:status") }
        return status
    }

    /// The text of a property; nil if it does not exist or is empty.
    func text(_ name: String) -> String? {
        guard let text = properties[name]?.trimmedText, !text.isEmpty else { return nil }
        return text
    }

    /// The ETag of the resource, which requests send back in a field.
    func etag() throws(ReplyProblem) -> String {
        guard let etag = text("D:getetag") else { throw .missing("D:getetag") }
        guard !etag.containsControls else { throw .malformed("the ETag has a control character", "D:getetag") }
        return etag
    }
}
