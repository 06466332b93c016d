import AppLanguage
import EssentialFoundation
import JSONValues
import SystemCalls

/// A JSON file of the user in the folder `pawkit` of the XDG configuration folder.
enum ConfigurationFile {
    /// The result of reading a file.
    enum Content<Value> {
        /// There is no such file, or no home folder.
        case absent
        /// The file cannot be read, or is not JSON of the expected form, as the text says.
        case problem(LocalizedText)
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
    ///   - example: a JSON object of the expected form, for the text of a problem.
    ///   - environment: the environment variables.
    /// - Returns: the value, or the reason why it is missing.
    static func read<Value: Decodable>(
        _ name: String,
        as type: Value.Type = Value.self,
        example: String = "{}",
        _ environment: [String: String]
    ) -> Content<Value> {
        guard let path = folder(environment).map({ "\($0)/\(name)" }), FileManager.default.fileExists(atPath: path)
        else { return .absent }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            return .problem(LocalizedText("the file cannot be read", ko: "파일을 읽을 수 없습니다"))
        }
        if let value = try? JSONDecoder().decode(type, from: data) { return .value(value) }
        return .problem(
            LocalizedText("the file is not a JSON object such as \(example)", ko: "\(example) 같은 JSON 객체가 아닙니다")
        )
    }

    /// Why a file was not changed.
    enum WriteError: Error, Hashable {
        /// There is no home folder.
        case noFolder
        /// The present file is not a JSON object, and stays as it is.
        case invalid(path: String)
        /// The file cannot be written.
        case failed(path: String, reason: String)

        /// What is wrong, and what to do.
        var text: LocalizedText {
            switch self {
            case .noFolder:
                LocalizedText(
                    "not saved: set HOME or XDG_CONFIG_HOME for the file of the settings",
                    ko: "저장하지 못했습니다. 설정 파일을 위해 HOME이나 XDG_CONFIG_HOME을 지정하세요"
                )
            case .invalid(let path):
                LocalizedText(
                    "not saved: \(path) is not a JSON object; correct or remove it",
                    ko: "저장하지 못했습니다. \(path) 파일이 JSON 객체가 아닙니다. 고치거나 지워 주세요"
                )
            case .failed(let path, let reason):
                LocalizedText(
                    "not saved: \(path) cannot be written: \(reason)",
                    ko: "저장하지 못했습니다. \(path) 파일을 쓸 수 없습니다: \(reason)"
                )
            }
        }
    }

    /// Changes the members of a file that contains a JSON object. All other members stay.
    ///
    /// - Parameters:
    ///   - name: the name in the folder.
    ///   - environment: the environment variables.
    ///   - change: changes the members, which are empty without a file.
    /// - Throws: ``WriteError``; the file is unchanged then.
    static func update(
        _ name: String,
        _ environment: [String: String],
        _ change: (inout [String: JSONValue]) -> Void
    ) throws(WriteError) {
        guard let folder = folder(environment) else { throw .noFolder }
        let path = "\(folder)/\(name)"
        do throws(POSIX.FolderError) {
            try POSIX.makeFolders(folder)
        } catch {
            throw .failed(path: path, reason: SystemError.message(of: error.code))
        }
        // The lock is on the folder, since the file is replaced, and may be a link. Where a folder cannot be locked, as on some
        // network drives, a change is better than none.
        let lock = try? POSIX.open(folder, O_RDONLY | O_DIRECTORY)
        if let lock { try? POSIX.lock(lock) }
        defer { if let lock { POSIX.close(lock) } }
        var members: [String: JSONValue] = [:]
        switch read(name, as: [String: JSONValue].self, environment) {
        case .absent: break
        case .value(let present): members = present
        case .problem: throw .invalid(path: path)
        }
        change(&members)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            // Dotfiles are often symbolic links, which stay.
            try UserFile.write(Array(encoder.encode(members) + Data("\n".utf8)), to: path)
        } catch {
            let reason = (error as? SystemError).map { SystemError.message(of: $0.code) } ?? "\(error)"
            throw .failed(path: path, reason: reason)
        }
    }
}
