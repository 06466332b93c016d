#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Encodes values as property lists and decodes them.
///
/// The decoder of the toolchain gets only bytes that our writer could have written: on Linux, a single wrong bit can
/// make it end the process, and a file made on purpose can have a valid checksum.
enum PropertyListCoding {
    /// Returns the bytes of a value, without a checksum. Equal values have equal bytes.
    static func encode(_ value: some Encodable, as format: PropertyListFormat) throws -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        if let bytes = try? encoder.encode(value) {
            // The dictionaries of the encoder have another order each time, those of our writer do not.
            return try PropertyListValue(reading: Array(bytes)).written(as: format)
        }
        // The encoder requires an outermost array or dictionary, which the format does not.
        guard case .array(let values) = try PropertyListValue(reading: Array(encoder.encode([value]))),
            let inner = values.first
        else { throw PropertyListProblem("the value has no form in a property list") }
        return try inner.written(as: format)
    }

    /// Decodes a value from untrusted bytes.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        if BinaryPropertyListForm.has(bytes) { return try PropertyListDecoder().decode(type, from: Data(bytes)) }
        return try decode(type, from: PropertyListValue(reading: bytes))
    }

    /// Decodes a value from a tree.
    static func decode<Value: Decodable>(_ type: Value.Type, from tree: PropertyListValue) throws -> Value {
        // The decoder requires an outermost array or dictionary.
        let wrapped = BinaryPropertyListWriter.write(.array([tree]))
        let values = try PropertyListDecoder().decode([Value].self, from: Data(wrapped))
        guard let value = values.first else { throw PropertyListProblem("it holds no value") }
        return value
    }
}

extension PropertyListCoding {
    /// Returns the problem in one line.
    static func text(of error: any Error) -> String {
        if case EncodingError.invalidValue(_, let context) = error, let inner = context.underlyingError {
            return text(of: inner)
        }
        return CodingProblem.text(of: error)
    }
}
