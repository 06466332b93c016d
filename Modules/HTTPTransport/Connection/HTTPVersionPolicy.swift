/// Which version of HTTP a transport speaks.
public enum HTTPVersionPolicy: Sendable, Hashable {
    /// HTTP/2 over TLS where the server agrees (ALPN), else HTTP/1.1.
    case automatic
    /// HTTP/1.1 always.
    case http1
    /// HTTP/2 from the first byte, without TLS too: only for servers that are known to speak it.
    case http2PriorKnowledge
}
