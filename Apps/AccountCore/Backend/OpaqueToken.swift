import EssentialFoundation
import TextEscaping

/// Random values from the generator of the system.
enum OpaqueToken {
    /// The kinds of tokens. The prefix shows what a token is if it is found where it does not belong.
    enum Kind: String {
        case access = "pka_"
        case refresh = "pkr_"
        case verification = "pkv_"
        case identity = "pki_"
        case challenge = "pkc_"
    }

    /// Returns a new token: the prefix of its kind and 32 random bytes in base64url.
    static func make(_ kind: Kind) -> String {
        let text = Data(bytes(32)).base64EncodedString()
        return kind.rawValue + text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns 16 hexadecimal digits, for the identifiers of accounts and sessions.
    static func identifier() -> String { Hexadecimal.string(of: bytes(8)) }

    /// Returns a verification code: digits, all equally probable.
    static func code(length: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<length).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
