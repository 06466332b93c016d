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
