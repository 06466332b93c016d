import JSONValues

/// The parts of the output of `swift package dump-package` that the tool needs.
struct ManifestDump {
    /// A package that the manifest depends on.
    struct Package {
        var identity: String
        /// A name in the manifest that differs from the identity.
        var name: String?
        /// The absolute folder of a package that is named by path.
        var folder: String?
    }

    /// A dependency of a target, or the use of a plugin.
    struct Reference {
        enum Kind { case target, product, byName }

        var kind: Kind
        var name: String
        /// The package as the target names it.
        var package: String?
        var edge: GraphTarget.Dependency
    }

    struct Target {
        var name: String
        var type: String
        var path: String?
        var publicHeadersPath: String?
        var layout: GraphTarget.Layout
        var references: [Reference]
    }

    var name: String
    var packages: [Package]
    var products: [PackageGraph.Product]
    var targets: [Target]
    var traits: [String]

    /// Reads the description, or returns `nil` if a part of it is missing.
    init?(_ document: JSONValue) {
        guard let name = document["name"].text, let targets = document["targets"].elements else { return nil }
        self.name = name
        packages = (document["dependencies"].elements ?? []).compactMap(Package.init)
        products = (document["products"].elements ?? []).compactMap { product in
            guard let name = product["name"].text else { return nil }
            return PackageGraph.Product(
                name: name,
                kind: product["type"].members?.keys.first ?? "library",
                targets: product["targets"].texts
            )
        }
        traits = (document["traits"].elements ?? []).compactMap { $0["name"].text }.filter { $0 != "default" }.sorted()
        self.targets = targets.compactMap(Target.init)
        guard self.targets.count == targets.count else { return nil }
    }
}

extension ManifestDump.Package {
    /// `{"fileSystem" or "sourceControl" or "registry": [{"identity": NAME, …}]}`
    fileprivate init?(_ value: JSONValue) {
        guard let (kind, parts) = value.members?.first, let package = parts.elements?.first,
            let identity = package["identity"].text
        else { return nil }
        self.identity = identity.lowercased()
        name = package["nameForTargetDependencyResolutionOnly"].text
        folder = kind == "fileSystem" ? package["path"].text : nil
    }
}

extension ManifestDump.Target {
    fileprivate init?(_ value: JSONValue) {
        guard let name = value["name"].text, let type = value["type"].text else { return nil }
        self.name = name
        self.type = type
        path = value["path"].text?.droppingTrailingSlash
        publicHeadersPath = value["publicHeadersPath"].text?.droppingTrailingSlash
        layout = GraphTarget.Layout()
        layout.excluded = value["exclude"].texts.map(\.droppingTrailingSlash)
        layout.sources = value["sources"].elements.map { $0.compactMap { $0.text?.droppingTrailingSlash } }
        layout.resources = (value["resources"].elements ?? []).compactMap { $0["path"].text?.droppingTrailingSlash }
        for setting in value["settings"].elements ?? [] {
            let kind = setting["kind"]
            if let path = kind["headerSearchPath"]["_0"].text { layout.headerSearchPaths.append(path) }
            let flags = kind["unsafeFlags"]["_0"].texts
            layout.flaggedHeaders += Self.headers(in: flags)
            guard setting["tool"].text == "swift" else { continue }
            let known = layout.defines.count
            if let name = kind["define"]["_0"].text { layout.defines.append(name) }
            for (index, flag) in flags.enumerated() {
                let value = index + 1 < flags.count ? flags[index + 1] : ""
                if flag == "-D" {
                    layout.defines.append(value)
                } else if flag.hasPrefix("-D") {
                    layout.defines.append(String(flag.dropFirst(2)))
                } else if flag == "-module-alias", let sign = value.firstIndex(of: "=") {
                    layout.moduleAliases[String(value[..<sign])] = String(value[value.index(after: sign)...])
                }
            }
            if setting["condition"].members == nil { layout.alwaysDefined.formUnion(layout.defines[known...]) }
        }
        references = (value["dependencies"].elements ?? []).compactMap(ManifestDump.Reference.init(dependency:))
        references += (value["pluginUsages"].elements ?? []).compactMap(ManifestDump.Reference.init(plugin:))
    }

    /// Returns the values of the options of the C compiler that name headers or their folders, which follow the option or are
    /// part of it. Those for the C compiler of a Swift target are behind `-Xcc`.
    private static func headers(in flags: [String]) -> [String] {
        let flags = flags.filter { $0 != "-Xcc" }
        return flags.indices.compactMap { index in
            guard let option = ["-I", "-iquote", "-isystem", "-include"].first(where: flags[index].hasPrefix) else {
                return nil
            }
            let value = String(flags[index].dropFirst(option.count))
            return value.isEmpty ? flags.dropFirst(index + 1).first : value
        }
    }
}

extension ManifestDump.Reference {
    /// `{"byName": [NAME, CONDITION]}`, `{"target": [NAME, CONDITION]}` or
    /// `{"product": [NAME, PACKAGE, ALIASES, CONDITION]}`.
    fileprivate init?(dependency value: JSONValue) {
        guard let (kind, list) = value.members?.first, let parts = list.elements, let name = parts.first?.text else {
            return nil
        }
        self.kind = kind == "target" ? .target : kind == "product" ? .product : .byName
        self.name = name
        edge = GraphTarget.Dependency(name: name)
        if kind == "product" {
            package = parts.count > 1 ? parts[1].text : nil
            edge.moduleAliases = (parts.count > 2 ? parts[2].members ?? [:] : [:]).compactMapValues(\.text)
        }
        guard let condition = parts.last?.members, parts.count == (kind == "product" ? 4 : 2) else { return }
        edge.platforms = (condition["platformNames"] ?? .null).texts
        edge.traits = (condition["traits"] ?? .null).texts.sorted()
        edge.configuration = condition["config"]?.text
    }

    /// `{"plugin": [NAME, PACKAGE]}`
    fileprivate init?(plugin value: JSONValue) {
        guard let parts = value["plugin"].elements, let name = parts.first?.text else { return nil }
        package = parts.count > 1 ? parts[1].text : nil
        kind = package == nil ? .byName : .product
        self.name = name
        edge = GraphTarget.Dependency(name: name, isPlugin: true)
    }
}

extension JSONValue {
    /// The member of an object; `null` if there is none.
    subscript(name: String) -> JSONValue { members?[name] ?? .null }

    /// The members of an object.
    var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// The elements of an array.
    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The text of a string.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The texts of the strings in an array.
    var texts: [String] { elements?.compactMap(\.text) ?? [] }
}
