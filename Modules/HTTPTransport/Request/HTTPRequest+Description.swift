extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and place: no query, no field and no body, since any of them may hold a secret.
    public var description: String { "\(method) \(HTTPTransportError.location(of: url))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Method, place and the names of the fields, so that a dump shows no secret either.
    public var customMirror: Mirror {
        Mirror(self, children: ["request": description, "fields": headers.map(\.name)])
    }
}
