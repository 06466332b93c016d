#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A JSON file of the user in the folder `pawkit` of the XDG configuration folder.
enum ConfigurationFile {
    /// The result of reading a file.
    enum Content<Value> {
        /// There is no such file, or no home folder.
        case absent
        /// The file exists and cannot be read.
        case unreadable
        /// The file is not JSON of the expected form.
        case invalid
        /// The value in the file.
        case value(Value)
    }

    /// Returns the folder of the files; `nil` without a home folder.
    static func folder(_ environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/pawkit" }
        if let home = environment["HOME"], home.hasPrefix("/") { return "\(home)/.config/pawkit" }
        return nil
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - name: the name in the folder.
    ///   - type: the type of the value.
    ///   - environment: the environment variables.
    /// - Returns: the value, or why there is none.
    static func read<Value: Decodable>(
        _ name: String,
        as type: Value.Type = Value.self,
        _ environment: [String: String]
    ) -> Content<Value> {
        guard let path = folder(environment).map({ "\($0)/\(name)" }), FileManager.default.fileExists(atPath: path)
        else { return .absent }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return .unreadable }
        return (try? JSONDecoder().decode(type, from: data)).map { .value($0) } ?? .invalid
    }
}
