extension HTTPHeaders {
    /// The name of a header field, so that common ones are written without literals: `headers[.contentType]`.
    ///
    /// Names are equal without regard to case.
    public struct Name: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as it is sent.
        public let rawValue: String

        /// Creates a name; a request with an invalid token is rejected when it is sent.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a name; a request with an invalid token is rejected when it is sent.
        public init(_ name: String) { rawValue = name }

        /// The name as it is sent.
        public var description: String { rawValue }

        /// Returns whether two names are equal without regard to case.
        public static func == (left: Name, right: Name) -> Bool { HTTPSyntax.equal(left.rawValue, right.rawValue) }

        /// Hashes the name without regard to case.
        public func hash(into hasher: inout Hasher) {
            for byte in rawValue.utf8 { hasher.combine(HTTPSyntax.lowered(byte)) }
        }
    }

    /// Creates a collection of typed names and values in the given order: `HTTPHeaders([.accept: "text/plain"])`.
    public init(_ fields: KeyValuePairs<Name, String>) {
        self.init(fields.map { Field(name: $0.key.rawValue, value: $0.value) })
    }

    /// The value of the fields with this name; see ``subscript(_:)-(String)``.
    public subscript(name: Name) -> String? {
        get { self[name.rawValue] }
        set { self[name.rawValue] = newValue }
    }

    /// Returns the values of all fields with this name, in order.
    public func values(_ name: Name) -> [String] { values(name.rawValue) }

    /// Returns the elements of the comma-separated lists in all fields with this name; see ``list(_:)-(String)``.
    public func list(_ name: Name) -> [String] { list(name.rawValue) }

    /// Returns whether there is a field with this name.
    public func contains(_ name: Name) -> Bool { contains(name.rawValue) }

    /// Adds a field at the end, even if there is one with this name.
    public mutating func append(_ name: Name, _ value: String) { append(name.rawValue, value) }

    /// Removes all fields with this name.
    public mutating func remove(_ name: Name) { remove(name.rawValue) }
}

extension HTTPHeaders.Name {
    /// The media types that the client accepts.
    public static let accept = Self("Accept")
    /// The codings of a body that the client accepts.
    public static let acceptEncoding = Self("Accept-Encoding")
    /// The languages that the client prefers.
    public static let acceptLanguage = Self("Accept-Language")
    /// Whether the server supports ranges.
    public static let acceptRanges = Self("Accept-Ranges")
    /// The age of a cached response in seconds.
    public static let age = Self("Age")
    /// The credentials of the client.
    public static let authorization = Self("Authorization")
    /// The rules for caches.
    public static let cacheControl = Self("Cache-Control")
    /// What the caches on the way did.
    public static let cacheStatus = Self("Cache-Status")
    /// The codings of the body, such as gzip.
    public static let contentEncoding = Self("Content-Encoding")
    /// The size of the body in bytes, which the transport sets.
    public static let contentLength = Self("Content-Length")
    /// The part of the whole that the body is.
    public static let contentRange = Self("Content-Range")
    /// The media type of the body.
    public static let contentType = Self("Content-Type")
    /// The client's cookies.
    public static let cookie = Self("Cookie")
    /// The time at which the response was made.
    public static let date = Self("Date")
    /// The version of the resource.
    public static let etag = Self("ETag")
    /// The time after which a response is stale.
    public static let expires = Self("Expires")
    /// The key by which a server recognizes a request that is sent again.
    public static let idempotencyKey = Self("Idempotency-Key")
    /// The versions that the client does not need.
    public static let ifNoneMatch = Self("If-None-Match")
    /// The version of which the client wants a part.
    public static let ifRange = Self("If-Range")
    /// The last change of the resource.
    public static let lastModified = Self("Last-Modified")
    /// The target of a redirect.
    public static let location = Self("Location")
    /// The part that the client wants.
    public static let range = Self("Range")
    /// The delay before the next request, in seconds or as a date.
    public static let retryAfter = Self("Retry-After")
    /// A cookie that the client stores.
    public static let setCookie = Self("Set-Cookie")
    /// The name of the client's program.
    public static let userAgent = Self("User-Agent")
    /// The request's fields on which the response depends.
    public static let vary = Self("Vary")
    /// The authentication that the server requires.
    public static let wwwAuthenticate = Self("WWW-Authenticate")
}
