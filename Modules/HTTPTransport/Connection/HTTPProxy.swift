/// Which proxy requests go through.
public enum HTTPProxy: Sendable, Hashable {
    /// The system's choice: on Linux the one that the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`
    /// name, if any.
    case environment
    /// None, whatever the system says.
    case none
    /// This one.
    case server(HTTPProxyServer)
}
