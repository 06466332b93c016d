#if os(Linux)
    import CurlTransport
#else
    import URLSessionTransport
#endif

/// The transport that a provider uses when it is given none.
public enum DefaultTransport {
    /// A new transport: libcurl on Linux, URLSession on Apple platforms.
    public static func make() -> any HTTPTransport {
        #if os(Linux)
            CurlTransport()
        #else
            URLSessionTransport()
        #endif
    }
}
