import SystemCalls
import TextEscaping

/// Notifications of the desktop by `notify-send`, where that program is on `PATH`.
@MainActor
final class DesktopNotification {
    private let environment: [String: String]
    /// The processes that have not ended.
    private var running: Set<pid_t> = []

    /// - Parameter environment: the environment variables, by which the program is found and with which it runs.
    init(_ environment: [String: String]) { self.environment = environment }

    private var program: String? {
        environment["PATH"]?.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/notify-send" }
            .first { access($0, X_OK) == 0 }
    }

    /// Shows a notification without waiting for it. Control characters are omitted.
    func send(_ title: String, _ text: String) {
        running = running.filter { waitpid($0, nil, WNOHANG) == 0 }
        guard let program, let null = try? POSIX.open("/dev/null", O_RDWR) else { return }
        defer { POSIX.close(null) }
        // The text may contain markup; a "<" with a combining mark is another character than "<".
        let escapes: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
        let markup = text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
        let child = ChildProgram(
            path: program,
            arguments: ["--", title.removingControls(), markup.removingControls()],
            environment: environment
        )
        if let id = child.start(standard: [null, null, null]) { running.insert(id) }
    }
}
