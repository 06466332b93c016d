#if canImport(Darwin)
    import Dispatch
    import SystemCalls

    /// Makes the last calls of an object that is deallocated on the main thread, and returns after them.
    ///
    /// An isolated deinitializer does so on other platforms. On released Apple systems it ends the process if the object is
    /// released on the main thread outside of a task, such as in an action of UIKit (swiftlang/swift#85663).
    func onMainThread(_ calls: @MainActor () -> Void) {
        if pthread_main_np() != 0 {
            MainActor.assumeIsolated(calls)
        } else {
            // The object exists until its deinitializer returns, so this has to wait.
            DispatchQueue.main.sync { MainActor.assumeIsolated(calls) }
        }
    }
#endif
