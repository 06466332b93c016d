#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Whether the Address Sanitizer looks on, which lets no memory be used again soon after it was given back.
public var isAddressSanitized: Bool { dlsym(nil, "__asan_init") != nil }
