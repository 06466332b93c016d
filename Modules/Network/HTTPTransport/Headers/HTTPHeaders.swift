/// An ordered collection of header fields, with case-insensitive names that may occur several times.
///
/// The fields of a response are parsed when they are first read, so that a response whose fields are not read costs
/// nothing. Collecting fields checks nothing: ``HTTPRequest/validate()`` rejects a request with a name that is not a token,
/// or a value with a line break or a NUL, before anything is sent.
public struct HTTPHeaders: Sendable {
    /// A header field.
    public struct Field: Hashable, Sendable {
        /// The name, in its original case.
        public var name: String
        /// The value, without surrounding whitespace.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    enum Storage: Sendable {
        case fields([Field])
        /// The lines of a received head, without the status line.
        case block(HeaderBlock)
    }

    var storage: Storage

    /// Creates an empty collection.
    public init() { storage = .fields([]) }

    /// Creates a collection of fields in the given order.
    public init(_ fields: some Sequence<Field>) { storage = .fields(Array(fields)) }

    /// Creates a collection of names and values in the given order.
    public init(_ pairs: some Sequence<(String, String)>) {
        storage = .fields(pairs.map { Field(name: $0.0, value: $0.1) })
    }

    /// Creates a collection from the lines of a received head, which are parsed when they are first read.
    /// - Parameter block: lines of `name: value`, each terminated by LF or CR LF, without the status line.
    package init(block: [UInt8]) { storage = .block(HeaderBlock(bytes: block)) }

    /// All fields in order.
    public var fields: [Field] {
        get {
            switch storage {
            case .fields(let fields): fields
            case .block(let block): block.fields()
            }
        }
        set { storage = .fields(newValue) }
    }

    /// The value of the fields with this name, or nil if there are none.
    ///
    /// The values of several fields are joined by a comma and a space, as RFC 9110, section 5.3 allows for fields that
    /// are lists; those of Cookie by a semicolon and a space (RFC 9113, section 8.2.3). Set-Cookie cannot be joined: its
    /// first value is returned. Use ``values(_:)-(String)`` for all values separately.
    ///
    /// Setting a value replaces all fields of this name by one; setting nil removes them.
    public subscript(name: String) -> String? {
        get {
            let separator = HTTPHeaders.separator(name)
            switch storage {
            case .fields(let fields):
                var values = fields.lazy.filter { HTTPSyntax.equal($0.name, name) }.map(\.value).makeIterator()
                guard var whole = values.next() else { return nil }
                while let separator, let value = values.next() { whole += separator + value }
                return whole
            case .block(let block): return block.value(name, joinedBy: separator)
            }
        }
        set {
            var fields = self.fields
            let place = fields.firstIndex { HTTPSyntax.equal($0.name, name) }
            fields.removeAll { HTTPSyntax.equal($0.name, name) }
            if let newValue { fields.insert(Field(name: name, value: newValue), at: place ?? fields.count) }
            storage = .fields(fields)
        }
    }

    /// Returns the values of all fields with this name, in order.
    public func values(_ name: String) -> [String] {
        switch storage {
        case .fields(let fields): fields.filter { HTTPSyntax.equal($0.name, name) }.map(\.value)
        case .block(let block): block.values(name)
        }
    }

    /// Returns the elements of the comma-separated lists in all fields with this name, trimmed, without empty ones.
    ///
    /// Do not use it for fields whose values contain commas, such as Set-Cookie or dates.
    public func list(_ name: String) -> [String] {
        values(name).flatMap { $0.split(separator: ",") }.compactMap {
            let element = HTTPSyntax.trimmed(String($0))
            return element.isEmpty ? nil : element
        }
    }

    /// Adds a field at the end, even if there is one with this name.
    public mutating func append(_ name: String, _ value: String) {
        var fields = self.fields
        storage = .fields([])
        fields.append(Field(name: name, value: value))
        storage = .fields(fields)
    }

    /// Removes all fields with this name.
    public mutating func remove(_ name: String) { self[name] = nil }

    /// Returns whether there is a field with this name.
    public func contains(_ name: String) -> Bool {
        switch storage {
        case .fields(let fields): fields.contains { HTTPSyntax.equal($0.name, name) }
        case .block(let block): block.contains(name)
        }
    }

    /// Returns these fields merged with others: all fields with a name in `other` are replaced by those of `other`.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        let later = other.fields
        let rest = fields.filter { field in !later.contains { HTTPSyntax.equal($0.name, field.name) } }
        return HTTPHeaders(rest + later)
    }

    /// The separator of several values in one; nil for a field whose values cannot be joined.
    private static func separator(_ name: String) -> String? {
        switch name.utf8.count {
        case 6 where HTTPSyntax.equal(name, "cookie"): "; "
        case 10 where HTTPSyntax.equal(name, "set-cookie"): nil
        default: ", "
        }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates a collection of a literal's fields in order; a name may occur several times.
    public init(dictionaryLiteral elements: (String, String)...) {
        storage = .fields(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension HTTPHeaders: Sequence {
    /// Returns an iterator over all fields in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    /// The number of fields.
    public var count: Int { fields.count }

    /// Whether there are no fields.
    public var isEmpty: Bool { fields.isEmpty }
}

extension HTTPHeaders: Equatable {
    /// Returns whether both have the same fields in the same order, with names compared without regard to case.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.elementsEqual(right.fields) { HTTPSyntax.equal($0.name, $1.name) && $0.value == $1.value }
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// One field per line. The values are not redacted.
    public var description: String { fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n") }
}
