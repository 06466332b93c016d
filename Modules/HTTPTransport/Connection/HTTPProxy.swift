/// Which proxy requests go through.
public enum HTTPProxy: Sendable, Hashable {
    /// The system's choice: on Linux the one that the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`
    /// name, if any.
    ///
    /// There they are read with each request, in small letters first and then in capitals:
    /// - `http_proxy` is for `http`, `https_proxy` for `https`, `all_proxy` for what has no variable of its own. An
    ///   empty one counts as none, and so does `HTTP_PROXY` in capitals, which a CGI program's clients can set.
    /// - A value is `HOST:PORT`, or a URL of `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h` (the last has
    ///   names looked up by the proxy), with `user:password@` before the host of one that asks for them. One that is
    ///   none of these fails requests with ``HTTPTransportError/Code/proxy``.
    /// - `no_proxy` lists with commas the hosts that are reached without a proxy: names with everything under them, a
    ///   dot before them or not, addresses and, from libcurl 7.86 on, ranges (`10.0.0.0/8`); `*` alone means all. An
    ///   entry with a port matches nothing.
    ///
    /// A loopback host goes through a proxy like any other, unless it is listed: `no_proxy=localhost,127.0.0.1,::1`.
    case environment
    /// None, whatever the system says.
    case none
    /// This one.
    case server(HTTPProxyServer)
}
