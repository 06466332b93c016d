#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system's error numbers in words.
enum SystemText {
    /// What the system says of an error, with its number: `Permission denied (errno 13)`.
    static func of(_ code: Int32) -> String { "\(String(cString: strerror(code))) (errno \(code))" }
}
