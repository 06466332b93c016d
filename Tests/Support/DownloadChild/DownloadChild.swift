import EssentialFoundation
import NetworkProvider

/// A process to be killed while it downloads: `download-child URL FILE`.
///
/// It continues where an earlier one was killed, and exits with 0 when the file is complete at its path.
@main
struct DownloadChild {
    struct Wrong: Error {}

    struct File: RemoteTargetType {
        let base: String
        /// The server stalls while kills remain: a child that is not killed in time asks again.
        let timeout = HTTPTimeouts(idle: .seconds(2))
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { throw Wrong() }
        try await NetworkProvider().resumeDownload(File(base: arguments[1]), to: arguments[2])
    }
}
