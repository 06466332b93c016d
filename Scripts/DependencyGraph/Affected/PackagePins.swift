import JSONValues

/// The pins of Package.resolved.
enum PackagePins {
    /// Returns the identities of the packages whose pins differ, or `nil` if a file is missing or has an unknown format.
    static func changed(from old: [UInt8]?, to new: [UInt8]?) -> Set<String>? {
        guard let old = old.flatMap(pins), let new = new.flatMap(pins) else { return nil }
        return Set(Set(old.keys).union(new.keys).filter { old[$0] != new[$0] })
    }

    /// Reads the pins of the versions 1 to 3 of the format.
    private static func pins(_ bytes: [UInt8]) -> [String: JSONValue]? {
        guard let document = try? JSONValue(parsing: bytes) else { return nil }
        guard let pins = document["pins"].elements ?? document["object"]["pins"].elements else { return nil }
        var found: [String: JSONValue] = [:]
        for pin in pins {
            guard let identity = pin["identity"].text ?? pin["repositoryURL"].text.map(identity) else { return nil }
            found[identity.lowercased()] = pin
        }
        return found
    }

    /// The identity of a package by its address: the last part without ".git".
    private static func identity(of address: String) -> String {
        let last = address.droppingTrailingSlash.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? address
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }
}
