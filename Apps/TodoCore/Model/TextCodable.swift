/// A value that is stored as the text of its description.
public protocol TextCodable: Codable, LosslessStringConvertible {
    /// Explains why a text is not the description of a value.
    static func explanation(ofInvalid text: String) -> String
}

extension TextCodable {
    /// Decodes the description.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            let explanation = Self.explanation(ofInvalid: text)
            throw DecodingError.dataCorruptedError(in: container, debugDescription: explanation)
        }
        self = value
    }

    /// Encodes the description.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
