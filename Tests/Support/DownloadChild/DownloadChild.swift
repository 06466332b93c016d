import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A process to be killed while it downloads: `download-child URL FILE`.
///
/// It goes on where an earlier one was killed, and ends with 0 when the file is whole at its place.
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
