/// A fault, and which answers have it.
public struct FaultRule: Hashable, Sendable, CustomStringConvertible {
    /// Which answers a fault is for.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// All of them.
        case all
        /// The services' JSON.
        case api
        /// The picture files.
        case picture
    }

    /// What goes wrong.
    public var fault: PictureFault
    /// Where.
    public var scope: Scope

    /// Creates a rule.
    public init(_ fault: PictureFault, in scope: Scope = .all) {
        self.fault = fault
        self.scope = scope
    }

    /// Reads `html`, `api-html` or `picture-html`; `nil` for a name there is none of.
    public init?(_ text: String) {
        for scope in [Scope.api, .picture] where text.hasPrefix("\(scope.rawValue)-") {
            guard let fault = PictureFault(rawValue: String(text.dropFirst(scope.rawValue.count + 1))) else {
                return nil
            }
            self.init(fault, in: scope)
            return
        }
        guard let fault = PictureFault(rawValue: text) else { return nil }
        self.init(fault)
    }

    /// The rule as it is read.
    public var description: String {
        scope == .all ? fault.rawValue : "\(scope.rawValue)-\(fault.rawValue)"
    }
}
