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

    init(_ error: some CommandError) { self.init(error.exitCode, "\(error)") }
}

/// An error that ends a command with its description.
protocol CommandError: Error {
    /// The exit status of the command.
    var exitCode: ExitCode { get }
}

/// Returns the result of an operation, whose error ends the command.
func attempt<Value, Failure: CommandError>(
    isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws(Failure) -> Value
) async throws(ScriptFailure) -> Value {
    do throws(Failure) { return try await operation() } catch { throw ScriptFailure(error) }
}

extension UsageError: CommandError {
    var exitCode: ExitCode { .usage }
}

extension LocalError: CommandError {
    var exitCode: ExitCode { .data }
}

extension TodoError: CommandError {
    var exitCode: ExitCode {
        switch self {
        case .emptyTitle, .tooLong, .controlCharacter, .notOneWord, .ambiguous, .parentCycle, .dependencyCycle,
            .nestedBatch, .noDueDay, .tooMany, .signInName:
            .usage
        case .inBatch(_, let reason): reason.exitCode
        case .notFound, .nothingToUndo, .nothingToRedo, .changedByOther, .laterChange, .changedSince, .stepIsGone,
            .changedElsewhere, .noVersion, .noQuery, .noView, .unknownRule, .refused:
            .nothingMatched
        case .hookFailed, .storage: .data
        }
    }
}

extension TodoListError: CommandError {
    var exitCode: ExitCode {
        switch self {
        case .store(let error): error.exitCode
        case .invalidName: .usage
        case .notFound, .exists, .isSynced: .nothingMatched
        }
    }
}

extension AccountError: CommandError {
    var exitCode: ExitCode {
        switch self {
        case .offline, .timedOut, .unusable, .serverFailed, .providerUnavailable: .network
        case .throttled, .wrongCredentials, .wrongPassword, .sessionEnded, .wrongCode, .codeEnded, .notVerified,
            .idTaken:
            .nothingMatched
        case .invalid, .commonPassword: .usage
        case .storage: .data
        case .cancelled: .interrupted
        }
    }
}

extension PictureFailure: CommandError {
    var exitCode: ExitCode {
        switch self {
        case .noSuchBreed: .nothingMatched
        case .network, .noPicture, .picture: .network
        }
    }
}

extension FavouriteError: CommandError {
    var exitCode: ExitCode {
        switch self {
        case .full: .nothingMatched
        case .storage: .data
        }
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
