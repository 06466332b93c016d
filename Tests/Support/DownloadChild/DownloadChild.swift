import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A process to be killed while it downloads: `download-child URL FILE`.
///
/// It continues where an earlier one was killed, and exits with 0 when the file is complete at its path.
@main
struct DownloadChild {
    struct Wrong: Error {}

    struct File: RemoteTargetType {
        let base: String
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { throw Wrong() }
        try await NetworkProvider().resumeDownload(File(base: arguments[1]), to: arguments[2])
    }
}
