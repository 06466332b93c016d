import LocalProvider
import LocalProviderTestSupport

/// The system's calls, of which the synchronisation of folders fails.
struct FailingFolders: ForwardedCalls {
    func synchroniseFolder(_ descriptor: Int32) throws(SystemFailure) {
        throw SystemFailure(code: 5, operation: "fsync")
    }
}
