#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Ends the program as failed.
func exitWithFailure() -> Never {
    exit(1)
}
