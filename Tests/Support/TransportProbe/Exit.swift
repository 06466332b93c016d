#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Ends the process at once.
func exitProcess(_ status: Int32) -> Never { exit(status) }
