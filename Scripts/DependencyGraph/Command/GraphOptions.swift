/// The arguments of a command, taken apart.
struct GraphOptions {
    enum Verb: String { case draw, check, affected }

    var verb = Verb.draw
    var package: String?
    var format: String?
    var output: String?
    var focus: String?
    var depth: Int?
    var reaches: String?
    var path: (String, String)?
    var collapsed: [String] = []
    var reduces = false
    var withoutTests = false
    var rules: String?
    var since: String?
    var testTargetsOnly = false
    var wantsHelp = false

    private static let known = [
        "--format", "--output", "--focus", "--depth", "--reaches", "--path", "--collapse", "--reduce", "--no-tests",
        "--rules", "--since", "--test-targets", "--help",
    ]

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        if let first = rest.first, let named = Verb(rawValue: first), named != .draw {
            verb = named
            rest = rest.dropFirst()
        }
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw GraphError.usage("\(option) needs a value; try --help") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--format": format = try value(of: argument)
            case "--output", "-o": output = try value(of: argument)
            case "--focus": focus = try value(of: argument)
            case "--depth":
                let text = try value(of: argument)
                guard let number = Int(text), number >= 0 else {
                    throw GraphError.usage("--depth needs a whole number from 0 up, not \(text)")
                }
                depth = number
            case "--reaches": reaches = try value(of: argument)
            case "--path": path = (try value(of: argument), try value(of: argument))
            case "--collapse": collapsed.append(try value(of: argument))
            case "--reduce": reduces = true
            case "--no-tests": withoutTests = true
            case "--rules": rules = try value(of: argument)
            case "--since": since = try value(of: argument)
            case "--test-targets": testTargetsOnly = true
            default:
                if argument.hasPrefix("-") {
                    let nearest = Spelling.nearest(to: argument, among: Self.known) ?? "--help"
                    throw GraphError.usage("unknown option \(argument); did you mean \(nearest)?")
                }
                guard package == nil else {
                    throw GraphError.usage("one package at a time: \(argument) is one too many; try --help")
                }
                package = argument
            }
        }
    }
}
