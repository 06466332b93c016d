extension HTTPResponseBody {
    /// How long anybody waits for a body that is read by the way: the exchange's own times are for wanted ones.
    private static let patience = Duration.seconds(1)

    /// Reads the body for about a second; then the transfer is ended, and the reading with it.
    func patiently<Value>(_ read: () async -> Value) async -> Value {
        let timer = Task {
            guard (try? await Task.sleep(for: HTTPResponseBody.patience)) != nil else { return }
            cancel()
        }
        defer { timer.cancel() }
        return await read()
    }
}
