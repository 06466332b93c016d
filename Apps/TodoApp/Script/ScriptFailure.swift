import LocalProvider
import TodoCore

/// Why a command did not do all it was asked: what is said of it, and how the program ends.
struct ScriptFailure: Error {
    /// How the program ends.
    let exitCode: ExitCode
    /// One line for standard error; `nil` where the exit code says it all.
    let message: String?

    init(_ exitCode: ExitCode, _ message: String?) {
        self.exitCode = exitCode
        self.message = message
    }

    init(_ error: UsageError) {
        self.init(.usage, "\(error)")
    }

    init(_ error: LocalError) {
        self.init(.data, "\(error)")
    }

    init(_ error: TodoError) {
        let code: ExitCode =
            switch error {
            case .emptyTitle, .tooLong, .controlCharacter, .notOneWord, .ambiguous: .usage
            case .notFound, .nothingToUndo, .nothingToRedo: .nothingMatched
            case .storage: .data
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
