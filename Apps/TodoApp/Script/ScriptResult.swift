import AccountCore
import CommandKit
import EssentialFoundation
import LocalProvider
import PictureCore
import TodoCore

/// The failure of a command: a message and an exit status.
struct ScriptFailure: Error {
    /// The exit status.
    let exitCode: ExitCode
    /// One line for standard error; `nil` for no message.
    let message: String?

    init(_ exitCode: ExitCode, _ message: String?) {
        self.exitCode = exitCode
        self.message = message
    }

    init(_ error: UsageError) { self.init(.usage, "\(error)") }

    init(_ error: LocalError) { self.init(.data, "\(error)") }

    init(_ error: TodoError) {
        let code: ExitCode =
            switch error {
            case .emptyTitle, .tooLong, .controlCharacter, .notOneWord, .ambiguous, .parentCycle, .dependencyCycle,
                .inBatch, .nestedBatch, .noDueDay, .tooMany, .signInName:
                .usage
            case .notFound, .nothingToUndo, .nothingToRedo, .changedByOther, .laterChange, .changedSince, .stepIsGone,
                .changedElsewhere, .noVersion, .noQuery, .noView, .unknownRule, .refused:
                .nothingMatched
            case .hookFailed, .storage: .data
            }
        self.init(code, "\(error)")
    }

    init(_ error: TodoListError) {
        switch error {
        case .store(let error): self.init(error)
        case .invalidName: self.init(.usage, "\(error)")
        case .notFound, .exists, .isSynced: self.init(.nothingMatched, "\(error)")
        }
    }

    init(_ error: AccountError) {
        let code: ExitCode =
            switch error {
            case .offline, .timedOut, .unusable, .serverFailed, .providerUnavailable: .network
            case .throttled, .wrongCredentials, .wrongPassword, .sessionEnded, .wrongCode, .codeEnded, .notVerified,
                .idTaken:
                .nothingMatched
            case .invalid, .commonPassword: .usage
            case .storage: .data
            case .cancelled: .interrupted
            }
        self.init(code, "\(error)")
    }

    init(_ failure: PictureFailure) {
        let code: ExitCode =
            switch failure {
            case .noSuchBreed: .nothingMatched
            case .network, .noPicture, .picture: .network
            }
        self.init(code, "\(failure)")
    }
}

/// The result of a command: its output, notices and exit status.
struct ScriptResult: Sendable {
    /// The text for standard output.
    var output = ""
    /// More text for standard output, in UTF-8.
    var bytes: [UInt8] = []
    /// The todos for standard output as JSON, which are written piece by piece; `nil` for other results.
    var document: TodoDocument?
    /// The lines for standard error.
    var notices: [String] = []
    /// The exit status.
    var exitCode = ExitCode.done
}

extension ScriptResult {
    /// Creates a result of the JSON document of todos.
    static func json(_ document: TodoDocument) -> ScriptResult { ScriptResult(document: document) }

    /// Writes the output; returns false if a part of it could not be written.
    func writeOutput(to write: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var output = output
        return (output.isEmpty || output.withUTF8 { write(UnsafeRawBufferPointer($0)) })
            && (bytes.isEmpty || bytes.withUnsafeBytes(write))
            && (document?.write(to: write) ?? true)
    }

    /// Creates a result of one JSON document.
    static func json(_ document: some Encodable) -> ScriptResult {
        do {
            return ScriptResult(output: try jsonDocument(document))
        } catch {
            return ScriptResult(notices: ["the JSON document cannot be written: \(error)"], exitCode: .data)
        }
    }
}

/// Encodes a document for `--json`: sorted keys, dates in ISO 8601, one line break at the end.
func jsonDocument(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}
