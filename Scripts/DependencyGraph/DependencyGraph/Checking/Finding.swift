/// A fault in the dependencies of a package.
struct Finding: Sendable, Equatable, CustomStringConvertible {
    /// The kind of a fault.
    enum Kind: String, Sendable, Encodable, CaseIterable {
        /// Targets depend on each other.
        case cycle
        /// The sources of a target are missing or cannot be read.
        case fault
        /// A rule does not allow a dependency.
        case forbidden
        /// A product has code that is for tests only.
        case testOnly
        /// A target depends on one that does not exist on all of its platforms.
        case platform
        /// A target imports a module without declaring the dependency.
        case undeclared
        /// A target declares a dependency that it does not use.
        case unused

        /// The kind in one sentence.
        var summary: String {
            switch self {
            case .cycle: "Targets depend on each other."
            case .fault: "The sources of a target are missing or cannot be read."
            case .forbidden: "A rule does not allow a dependency."
            case .testOnly: "A product contains code that is for tests only."
            case .platform: "A target depends on one that is not available on all of its platforms."
            case .undeclared: "A target imports a module without declaring the dependency."
            case .unused: "A target declares a dependency that it does not use."
            }
        }
    }

    /// The kind of the fault.
    var kind: Kind
    /// The target at fault.
    var target: String
    /// The dependency concerned; the path concerned if the kind is ``Kind/fault``.
    var dependency: String
    /// The places in the package's files, at least one.
    var sites: [ImportIndex.Site]
    /// What is wrong and what to do.
    var message: String
    /// The text that declares the dependency in the list of the target; `nil` if that is not enough.
    var declaration: String?

    init(_ kind: Kind, _ target: String, _ dependency: String, _ sites: [ImportIndex.Site], _ message: String) {
        (self.kind, self.target, self.dependency, self.sites) = (kind, target, dependency, sites)
        self.message = message
    }

    /// The path of the first file below the package's folder.
    var file: String { sites.first?.file ?? "Package.swift" }

    /// The line in the first file, counted from 1.
    var line: Int { sites.first?.line ?? 1 }

    /// The finding in the format of a compiler error, which editors understand, followed by its further places.
    var description: String {
        let others = sites.dropFirst().map { "\($0.file):\($0.line)" }
        let also = others.isEmpty ? "" : "; also at \(others.joined(separator: ", "))"
        return "\(file):\(line): \(kind.rawValue): \(message)\(also)"
    }
}

extension Finding: Encodable {
    private enum CodingKeys: String, CodingKey { case kind, target, dependency, file, line, message, places }

    /// Encodes the first place as the members `file` and `line`, and all of them as `places`.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(target, forKey: .target)
        try container.encode(dependency, forKey: .dependency)
        try container.encode(file, forKey: .file)
        try container.encode(line, forKey: .line)
        try container.encode(message, forKey: .message)
        try container.encode(sites, forKey: .places)
    }
}
