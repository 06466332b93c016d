/// The condition of a branch of `#if`, which may be unknown.
///
/// What the package does not determine, such as the version of the compiler, is unknown: neither true nor false.
indirect enum CompilationCondition: Equatable, Sendable {
    case constant(Bool)
    /// A condition that the manifest or the command line defines.
    case flag(String)
    /// `os(X)`, in the spelling of a manifest.
    case system(String)
    /// `canImport(X)`, without submodules.
    case module(String)
    case unknown
    case not(CompilationCondition)
    case and(CompilationCondition, CompilationCondition)
    case or(CompilationCondition, CompilationCondition)

    /// Parses the text after `#if` or `#elseif`.
    init(_ text: some Collection<UInt8>) {
        var parser = Parser(Array(text))
        self = parser.alternatives()
    }

    /// What is known when a condition is evaluated.
    struct Context {
        /// The platform, in the spelling of a manifest.
        var platform: String?
        /// The flags that may be defined; `nil` if any flag may be.
        var flags: Set<String>?
        /// The flags that every build defines.
        var certain: Set<String> = []
        /// A module that is not available.
        var missingModule: String?
    }

    /// Returns the value, or `nil` if it is unknown.
    func value(in context: Context) -> Bool? {
        switch self {
        case .constant(let value): return value
        case .flag(let name):
            if context.certain.contains(name) { return true }
            return context.flags?.contains(name) == false ? false : nil
        case .system(let name): return context.platform.map { $0 == name }
        case .module(let name): return name == context.missingModule ? false : nil
        case .unknown: return nil
        case .not(let operand): return operand.value(in: context).map { !$0 }
        case .and(let left, let right):
            let values = (left.value(in: context), right.value(in: context))
            if values.0 == false || values.1 == false { return false }
            return values.0 == nil || values.1 == nil ? nil : true
        case .or(let left, let right):
            let values = (left.value(in: context), right.value(in: context))
            if values.0 == true || values.1 == true { return true }
            return values.0 == nil || values.1 == nil ? nil : false
        }
    }

    /// Whether the condition is false on every platform, whatever is unknown.
    func isImpossible(flags: Set<String>, certain: Set<String>) -> Bool {
        // "other" is for all platforms that Swift has besides those of a manifest.
        (Self.platforms + ["other"]).allSatisfy {
            value(in: Context(platform: $0, flags: flags, certain: certain)) == false
        }
    }

    /// Whether the condition is false where a module is not available.
    func requires(module: String) -> Bool { value(in: Context(missingModule: module)) == false }

    /// The platforms of a manifest.
    static let platforms = [
        "macos", "maccatalyst", "ios", "tvos", "watchos", "visionos", "driverkit", "linux", "windows", "android",
        "wasi", "openbsd", "freebsd",
    ]

    private struct Parser {
        private var lexer: SwiftLexer
        private var token: SwiftLexer.Token?

        init(_ bytes: [UInt8]) {
            lexer = SwiftLexer(bytes)
            token = lexer.next()
        }

        mutating func alternatives() -> CompilationCondition {
            var result = conjunction()
            while skip("|") {
                _ = skip("|")
                result = .or(result, conjunction())
            }
            return result
        }

        private mutating func conjunction() -> CompilationCondition {
            var result = operand()
            while skip("&") {
                _ = skip("&")
                result = .and(result, operand())
            }
            return result
        }

        private mutating func operand() -> CompilationCondition {
            if skip("!") { return .not(operand()) }
            if skip("(") {
                let result = alternatives()
                return skip(")") ? result : .unknown
            }
            guard let token, token.kind == .word else {
                self.token = lexer.next()
                return .unknown
            }
            let name = lexer.text(of: token)
            self.token = lexer.next()
            guard skip("(") else {
                if name == "true" || name == "false" { return .constant(name == "true") }
                return name.hasPrefix("$") ? .unknown : .flag(name)
            }
            let argument = self.token.map(lexer.text) ?? ""
            var depth = 1
            while depth > 0, let token = self.token {
                if lexer.matches(token, "(") { depth += 1 }
                if lexer.matches(token, ")") { depth -= 1 }
                self.token = lexer.next()
            }
            switch name {
            case "os": return .system(Self.platform(argument))
            case "canImport": return .module(argument)
            default: return .unknown
            }
        }

        private mutating func skip(_ symbol: StaticString) -> Bool {
            guard let token, lexer.matches(token, symbol) else { return false }
            self.token = lexer.next()
            return true
        }

        /// The spelling of a manifest for a name in `os(X)`; "other" if a manifest has none.
        private static func platform(_ name: String) -> String {
            switch name {
            case "OSX": "macos"
            case "xrOS": "visionos"
            default: platforms.contains(name.lowercased()) ? name.lowercased() : "other"
            }
        }
    }
}
