#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a later process must know of a download that was broken off.
struct DownloadRecord: Codable, Equatable {
    /// The URL without its secrets: a signature that changes each time does no harm, and none is left on the disk.
    var url: String
    /// The strong entity tag, or the date of the last change, of the bytes that are there.
    var validator: String
    /// The length of the whole, where it was told.
    var total: Int64?

    /// The record for an answer whose bytes begin a file; nil where nothing strong enough tells the version, so that a
    /// part of it could never be joined with another one (RFC 9110, sections 8.8.1 and 13.1.5).
    init?(url: String, _ headers: HTTPHeaders) {
        self.url = url
        total =
            headers["Content-Range"].flatMap { ContentRange($0)?.total }
            ?? headers["Content-Length"].flatMap { Int64($0) }
        if headers["Accept-Ranges"]?.lowercased() == "none" { return nil }
        if let tag = headers["ETag"] {
            guard tag.hasPrefix("\""), tag.hasSuffix("\""), tag.utf8.count >= 2 else { return nil }
            validator = tag
            return
        }
        // A date is strong when it was a second old at least: two versions of one second look the same.
        let now = Date()
        guard let text = headers["Last-Modified"], let changed = HTTPDate.date(text, now: now),
            let sent = headers["Date"].flatMap({ HTTPDate.date($0, now: now) }), sent.timeIntervalSince(changed) >= 1
        else { return nil }
        validator = text
    }

    /// Whether a part with these fields belongs to the recorded version, as far as they tell: a server may have passed
    /// over the `If-Range`.
    func matches(_ headers: HTTPHeaders) -> Bool {
        if let total, let told = headers["Content-Range"].flatMap({ ContentRange($0)?.total }), told != total {
            return false
        }
        let field = validator.hasPrefix("\"") ? "ETag" : "Last-Modified"
        return headers[field].map { $0 == validator } ?? true
    }
}
