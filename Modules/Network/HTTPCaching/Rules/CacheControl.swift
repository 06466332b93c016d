import HTTPTransport

/// The directives in the Cache-Control fields of a request or a response (RFC 9111, section 5.2; RFC 5861; RFC 8246).
///
/// Of repeated directives the strictest is used. An invalid or negative number counts as the strictest: an age of 0,
/// no staleness.
struct CacheControl: Sendable, Equatable {
    /// The maximum number of seconds (section 1.2.2): 68 years.
    static let longest = Int(Int32.max)

    var noStore = false
    /// With or without field names: a response with fields that need validation is validated as a whole.
    var noCache = false
    var mustRevalidate = false
    var isPrivate = false
    var isPublic = false
    var onlyIfCached = false
    var isImmutable = false
    var mustUnderstand = false
    var maxAge: Int?
    var minFresh: Int?
    /// ``longest`` if the directive has no number: any staleness.
    var maxStale: Int?
    var staleIfError: Int?
    var staleWhileRevalidate: Int?

    /// Creates a value without directives.
    init() {}

    /// Parses all Cache-Control fields; a request without one may have `Pragma: no-cache` (section 5.4).
    init(_ headers: HTTPHeaders, isRequest: Bool = false) {
        guard headers.contains(.cacheControl) else {
            if isRequest, let pragma = headers["pragma"] { noCache = pragma.lowercased().contains("no-cache") }
            return
        }
        for value in headers.values(.cacheControl) { read(value) }
    }

    /// Parses a field's value.
    init(_ value: String) { read(value) }

    private mutating func read(_ value: String) {
        CacheControl.eachDirective(in: Array(value.utf8)) { name, argument in take(name, argument) }
    }

    private mutating func take(_ name: String, _ argument: String?) {
        switch name {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        case "private": isPrivate = true
        case "public": isPublic = true
        case "only-if-cached": onlyIfCached = true
        case "immutable": isImmutable = true
        case "must-understand": mustUnderstand = true
        case "max-age": lower(&maxAge, argument)
        case "min-fresh":
            // The strictest is the longest here.
            minFresh = max(minFresh ?? 0, CacheControl.seconds(argument) ?? CacheControl.longest)
        case "max-stale":
            if let argument {
                lower(&maxStale, argument)
            } else {
                maxStale = min(maxStale ?? .max, CacheControl.longest)
            }
        case "stale-if-error": lower(&staleIfError, argument)
        case "stale-while-revalidate": lower(&staleWhileRevalidate, argument)
        default: break
        }
    }

    private func lower(_ value: inout Int?, _ argument: String?) {
        value = min(value ?? .max, CacheControl.seconds(argument) ?? 0)
    }

    /// Parses a number of seconds, at most ``longest``; nil for an invalid number.
    static func seconds(_ text: String?) -> Int? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int(text) ?? longest, longest)
    }

    /// Calls `take` with each directive's name in lower case and its argument, without quotes.
    private static func eachDirective(in bytes: [UInt8], _ take: (String, String?) -> Void) {
        var index = 0
        func skipBlanks() { while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 } }
        while index < bytes.count {
            skipBlanks()
            var name: [UInt8] = []
            while index < bytes.count, !",=; \t".utf8.contains(bytes[index]) {
                name.append(HTTPSyntax.lowered(bytes[index]))
                index += 1
            }
            skipBlanks()
            var argument: [UInt8]?
            if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
                index += 1
                skipBlanks()
                argument = CacheControl.argument(in: bytes, &index)
            }
            if !name.isEmpty {
                take(String(decoding: name, as: UTF8.self), argument.map { String(decoding: $0, as: UTF8.self) })
            }
            // Text after an argument without a comma is ignored.
            while index < bytes.count, bytes[index] != UInt8(ascii: ",") { index += 1 }
            index += 1
        }
    }

    private static func argument(in bytes: [UInt8], _ index: inout Int) -> [UInt8] {
        var text: [UInt8] = []
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            while index < bytes.count, !", \t".utf8.contains(bytes[index]) {
                text.append(bytes[index])
                index += 1
            }
            return text
        }
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
            text.append(bytes[index])
            index += 1
        }
        index += 1
        return text
    }
}

/// The directives of a response that a record stores; those of requests only are left out.
extension CacheControl {
    /// The directives without a number, one bit each.
    var flags: UInt16 {
        (noStore ? 1 : 0) | (noCache ? 2 : 0) | (mustRevalidate ? 4 : 0) | (isPrivate ? 8 : 0) | (isPublic ? 16 : 0)
            | (isImmutable ? 32 : 0) | (mustUnderstand ? 64 : 0)
    }

    /// The directives with a number, in their order in a record.
    var numbers: [Int?] { [maxAge, staleIfError, staleWhileRevalidate] }

    /// Creates directives from a record; nil for unknown bits.
    init?(flags: UInt16, maxAge: Int?, staleIfError: Int?, staleWhileRevalidate: Int?) {
        guard flags < 128 else { return nil }
        noStore = flags & 1 != 0
        noCache = flags & 2 != 0
        mustRevalidate = flags & 4 != 0
        isPrivate = flags & 8 != 0
        isPublic = flags & 16 != 0
        isImmutable = flags & 32 != 0
        mustUnderstand = flags & 64 != 0
        self.maxAge = maxAge
        self.staleIfError = staleIfError
        self.staleWhileRevalidate = staleWhileRevalidate
    }
}
