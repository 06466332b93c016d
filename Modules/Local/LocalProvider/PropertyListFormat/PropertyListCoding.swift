/// Encodes values as property lists and decodes them.
///
/// The coders of the toolchain are not used: on Linux, a single wrong bit can make its decoder end the process, and both take
/// several times as long.
enum PropertyListCoding {
    /// Returns the bytes of a value, without a checksum. Equal values have equal bytes.
    static func encode(_ value: some Encodable, as format: PropertyListFormat) throws -> [UInt8] {
        try PropertyListEncoding.bytes(of: value, as: format)
    }

    /// Decodes a value from bytes whose checksum is right.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try decode(type, from: PropertyListValue(reading: bytes, isLimited: false))
    }

    /// Decodes a value from a tree.
    static func decode<Value: Decodable>(_ type: Value.Type, from tree: PropertyListValue) throws -> Value {
        try PropertyListTreeDecoder.value(type, of: tree)
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
