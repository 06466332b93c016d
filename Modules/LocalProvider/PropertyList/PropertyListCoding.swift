#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values to property lists and back.
///
/// The toolchain's decoder is given only bytes that carry our checksum, and bytes that our own writer made from what our
/// own reader read: on Linux a single wrong bit can make it end the process.
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

    /// A value from bytes that our checksum vouches for.
    static func decode<Value: Decodable>(_ type: Value.Type, sealed bytes: [UInt8]) throws -> Value {
        do {
            return try PropertyListDecoder().decode(type, from: Data(bytes))
        } catch DecodingError.dataCorrupted {
            // Not how our reader sees it, perhaps: an outermost value that is neither array nor dictionary.
            return try decode(type, unsealed: bytes)
        }
    }

    /// A value from bytes of anybody.
    static func decode<Value: Decodable>(_ type: Value.Type, unsealed bytes: [UInt8]) throws -> Value {
        let tree = try PropertyListValue(reading: bytes)
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
