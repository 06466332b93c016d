/// A command line that is not understood.
struct BackendUsageError: Error, CustomStringConvertible {
    let description: String
}
