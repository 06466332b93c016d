public import EssentialFoundation

/// A property list as a tree.
public enum PropertyListValue: Hashable, Sendable {
    /// A Boolean value.
    case bool(Bool)
    /// An integer that fits into 64 bits with a sign.
    case integer(Int64)
    /// An integer above the range of ``integer(_:)``.
    case unsigned(UInt64)
    /// A floating-point number.
    case real(Double)
    /// A string.
    case string(String)
    /// Data.
    case data(Data)
    /// A date.
    case date(Date)
    /// A reference in a keyed archive; in the binary format only.
    case uid(UInt32)
    /// An array.
    case array([PropertyListValue])
    /// A dictionary.
    case dictionary([String: PropertyListValue])
}

extension PropertyListValue {
    /// Parses a property list of either format. The bytes are not trusted.
    ///
    /// - Parameter bytes: the content of a file.
    /// - Throws: ``PropertyListProblem`` if they are not a valid property list, or nested or expanding without limit.
    public init(reading bytes: [UInt8]) throws(PropertyListProblem) { try self.init(reading: bytes, isLimited: true) }

    /// Parses a property list of either format.
    ///
    /// - Parameters:
    ///   - bytes: the content of a file.
    ///   - isLimited: whether the size of the tree is limited. One that was written here can have many times the size of its
    ///     file, since equal values are stored once.
    /// - Throws: ``PropertyListProblem``.
    init(reading bytes: [UInt8], isLimited: Bool) throws(PropertyListProblem) {
        if bytes.starts(with: BinaryPropertyListReader.magic) {
            self = try BinaryPropertyListReader.read(bytes, isLimited: isLimited)
        } else {
            self = try XMLPropertyListReader.read(bytes)
        }
    }

    /// Returns the bytes of the property list. In XML, a date loses its fraction of a second.
    ///
    /// - Throws: ``PropertyListProblem`` for what the format cannot represent: more than 128 nested values; in XML, a
    ///   ``uid(_:)``, a control character, and a date outside the years 0 to 9999.
    public func written(as format: PropertyListFormat) throws(PropertyListProblem) -> [UInt8] {
        let objects = PropertyListObjects(format)
        return try objects.file(top: objects.add(self))
    }
}

extension PropertyListValue: LocalTree {
    /// Encodes a value as a property list.
    public init(encoding value: some Encodable) throws {
        self = try PropertyListValue(
            reading: PropertyListEncoding.bytes(of: value, as: .binary),
            isLimited: false
        )
    }

    /// Decodes a value from the property list.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try PropertyListCoding.decode(type, from: self)
    }

    /// The members of a dictionary by name, or `nil` for other values.
    public var members: [String: PropertyListValue]? {
        if case .dictionary(let members) = self { members } else { nil }
    }

    /// Creates a dictionary.
    public init(members: [String: PropertyListValue]) { self = .dictionary(members) }
}

/// The error of bytes that are not a valid property list, or of a tree that a format cannot represent.
public struct PropertyListProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem.
    public let detail: String
    /// Its offset in bytes, or `nil` if it has none.
    public let offset: Int?

    /// The maximum depth of nested values.
    static let depthLimit = 128

    static let tooDeep = PropertyListProblem("it is nested more than \(depthLimit) deep")

    init(_ detail: String, at offset: Int? = nil) {
        self.detail = detail
        self.offset = offset
    }

    /// The problem and its offset.
    public var description: String { offset.map { "\(detail) at byte \($0)" } ?? detail }
}

/// The format of a property list file.
public enum PropertyListFormat: Hashable, Sendable, CaseIterable {
    /// Apple's binary format, `bplist00`: small and fast.
    case binary
    /// XML, for people and other programs.
    case xml
}
