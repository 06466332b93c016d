#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A property list as a tree.
public enum PropertyListValue: Hashable, Sendable {
    /// A truth value.
    case bool(Bool)
    /// A whole number that 64 bits with a sign hold.
    case integer(Int64)
    /// A whole number above what ``integer(_:)`` holds.
    case unsigned(UInt64)
    /// A floating-point number.
    case real(Double)
    /// A text.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A moment.
    case date(Date)
    /// A reference within a keyed archive; the binary form only.
    case uid(UInt32)
    /// An ordered list.
    case array([PropertyListValue])
    /// Values by name.
    case dictionary([String: PropertyListValue])
}

extension PropertyListValue {
    /// Reads a property list of either form, trusting nothing in it.
    ///
    /// - Parameter bytes: the file's contents.
    /// - Throws: ``PropertyListProblem`` where they are no property list, or nested, shared or grown beyond all use.
    public init(reading bytes: [UInt8]) throws(PropertyListProblem) {
        if bytes.starts(with: BinaryPropertyListReader.magic) {
            self = try BinaryPropertyListReader.read(bytes)
        } else {
            self = try XMLPropertyListReader.read(bytes)
        }
    }

    /// The bytes of the property list.
    ///
    /// - Throws: ``PropertyListProblem`` for what the form cannot hold: a ``uid(_:)`` or a control character in XML.
    public func written(as format: PropertyListFormat) throws(PropertyListProblem) -> [UInt8] {
        switch format {
        case .binary: BinaryPropertyListWriter.write(self)
        case .xml: try XMLPropertyListWriter.write(self)
        }
    }
}

extension PropertyListValue: LocalTree {
    /// The property list of a value.
    public init(encoding value: some Encodable) throws {
        self = try PropertyListValue(reading: PropertyListCoding.encode(value, as: .binary))
    }

    /// The value that the property list stands for.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try PropertyListCoding.decode(type, from: self)
    }

    /// The values of a dictionary by name; `nil` for everything else.
    public var members: [String: PropertyListValue]? {
        if case .dictionary(let members) = self { members } else { nil }
    }

    /// A dictionary.
    public init(members: [String: PropertyListValue]) {
        self = .dictionary(members)
    }
}

/// Why bytes are no property list, or a tree cannot become one.
public struct PropertyListProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let detail: String
    /// Where, in bytes from the beginning; `nil` where that says nothing.
    public let offset: Int?

    /// The deepest nesting that is read or written.
    static let depthLimit = 128

    init(_ detail: String, at offset: Int? = nil) {
        self.detail = detail
        self.offset = offset
    }

    /// What is wrong, and where.
    public var description: String {
        offset.map { "\(detail) at byte \($0)" } ?? detail
    }
}

/// How a property list is written.
public enum PropertyListFormat: Hashable, Sendable, CaseIterable {
    /// Apple's binary form, `bplist00`: small, and quick to read.
    case binary
    /// XML, for people and for other programs.
    case xml
}
