/// Header fields: ordered, several of a name allowed, names compared without regard to case.
///
/// A response's fields stay the bytes that came until they are asked for, so that an answer nobody looks into costs no
/// parsing. Nothing is refused while fields are collected; a request with a name that is no token, or a value with a
/// line break or a NUL, is refused by ``HTTPRequest/validate()`` before a byte of it leaves.
public struct HTTPHeaders: Sendable {
    /// One field.
    public struct Field: Hashable, Sendable {
        /// The name as it was written.
        public var name: String
        /// The value without surrounding blanks.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    enum Storage: Sendable {
        case fields([Field])
        /// The lines of a received head, the status line taken off.
        case block(HeaderBlock)
    }

    var storage: Storage

    /// No fields.
    public init() { storage = .fields([]) }

    /// These fields in their order.
    public init(_ fields: some Sequence<Field>) { storage = .fields(Array(fields)) }

    /// The fields in the lines of a received head, parsed when they are asked for.
    /// - Parameter block: lines of `name: value`, each ended by LF or CR LF, the status line left out.
    package init(block: [UInt8]) { storage = .block(HeaderBlock(bytes: block)) }

    /// All fields in their order.
    public var fields: [Field] {
        get {
            switch storage {
            case .fields(let fields): fields
            case .block(let block): block.fields()
            }
        }
        set { storage = .fields(newValue) }
    }

    /// The value of the first field of that name. Setting replaces all of that name by one; nil removes them.
    public subscript(name: String) -> String? {
        get {
            switch storage {
            case .fields(let fields): fields.first { HTTPSyntax.equal($0.name, name) }?.value
            case .block(let block): block.first(name)
            }
        }
        set {
            var fields = self.fields
            let place = fields.firstIndex { HTTPSyntax.equal($0.name, name) }
            fields.removeAll { HTTPSyntax.equal($0.name, name) }
            if let newValue {
                fields.insert(Field(name: name, value: newValue), at: place ?? fields.count)
            }
            storage = .fields(fields)
        }
    }

    /// The values of all fields of that name, in their order.
    public func values(_ name: String) -> [String] {
        fields.filter { HTTPSyntax.equal($0.name, name) }.map(\.value)
    }

    /// The members of a comma-separated list over all fields of that name, trimmed, without empty ones.
    ///
    /// Not for fields whose values hold commas of their own, such as Set-Cookie or dates.
    public func list(_ name: String) -> [String] {
        values(name).flatMap { $0.split(separator: ",") }.compactMap {
            let member = $0.drop { $0 == " " || $0 == "\t" }
            let end = member.lastIndex { $0 != " " && $0 != "\t" }
            return end.map { String(member[...$0]) }
        }
    }

    /// Adds a field after the others, whether or not the name is there already.
    public mutating func append(_ name: String, _ value: String) {
        var fields = self.fields
        storage = .fields([])
        fields.append(Field(name: name, value: value))
        storage = .fields(fields)
    }

    /// Removes every field of that name.
    public mutating func remove(_ name: String) { self[name] = nil }

    /// Whether a field of that name is there.
    public func contains(_ name: String) -> Bool { self[name] != nil }

    /// These fields with others laid over them: a name that `other` has replaces all of that name here.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        let later = other.fields
        let kept = fields.filter { field in !later.contains { HTTPSyntax.equal($0.name, field.name) } }
        return HTTPHeaders(kept + later)
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// The fields of a literal in their order; a name may stand several times.
    public init(dictionaryLiteral elements: (String, String)...) {
        storage = .fields(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension HTTPHeaders: Sequence {
    /// Goes through all fields in their order; they are parsed once.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    /// The number of fields.
    public var count: Int { fields.count }

    /// Whether there is no field.
    public var isEmpty: Bool { fields.isEmpty }
}

extension HTTPHeaders: Equatable {
    /// Whether both hold the same fields in the same order, names compared without regard to case.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.elementsEqual(right.fields) { HTTPSyntax.equal($0.name, $1.name) && $0.value == $1.value }
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// One field a line. Values are shown as they are: redact before logging.
    public var description: String { fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n") }
}
