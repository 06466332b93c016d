#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values to property lists and back.
///
/// The toolchain's decoder is given only bytes that our own writer made, or could have made: on Linux a single wrong bit can
/// make it end the process, and a checksum vouches for no file that somebody made on purpose.
enum PropertyListCoding {
    /// The bytes of a value, without a seal; equal values give equal bytes.
    static func encode(_ value: some Encodable, as format: PropertyListFormat) throws -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        if let bytes = try? encoder.encode(value) {
            // The encoder's dictionaries come in a different order each time, our writer's do not.
            return try PropertyListValue(reading: Array(bytes)).written(as: format)
        }
        // The encoder refuses what is no array or dictionary at the outermost place, though the format allows it.
        guard case .array(let values) = try PropertyListValue(reading: Array(encoder.encode([value]))),
            let inner = values.first
        else { throw PropertyListProblem("the value has no form in a property list") }
        return try inner.written(as: format)
    }

    /// A value from bytes of anybody.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        if BinaryPropertyListForm.has(bytes) { return try PropertyListDecoder().decode(type, from: Data(bytes)) }
        return try decode(type, from: PropertyListValue(reading: bytes))
    }

    /// A value from a tree.
    static func decode<Value: Decodable>(_ type: Value.Type, from tree: PropertyListValue) throws -> Value {
        // The decoder takes nothing but an array or a dictionary at the outermost place.
        let wrapped = BinaryPropertyListWriter.write(.array([tree]))
        let values = try PropertyListDecoder().decode([Value].self, from: Data(wrapped))
        guard let value = values.first else { throw PropertyListProblem("it holds no value") }
        return value
    }
}

extension PropertyListCoding {
    /// What went wrong, in one line.
    static func text(of error: any Error) -> String {
        if case EncodingError.invalidValue(_, let context) = error, let inner = context.underlyingError {
            return text(of: inner)
        }
        return CodingProblem.text(of: error)
    }
}
