import LocalProvider
import LocalProviderTestSupport
import SystemCalls

/// The system's calls, of which the synchronisation of folders fails.
struct FailingFolders: ForwardedCalls {
    func synchroniseFolder(_ descriptor: Int32) throws(SystemError) {
        throw SystemError(code: 5, call: "fsync")
    }
}
