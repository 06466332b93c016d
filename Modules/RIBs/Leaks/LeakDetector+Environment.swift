#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension LeakDetector {
    /// Whether the environment leaves detection on: it does unless ``environmentVariable`` is `off`.
    public static nonisolated var isOnByEnvironment: Bool {
        guard let value = getenv(environmentVariable) else { return true }
        return String(cString: value) != "off"
    }
}
