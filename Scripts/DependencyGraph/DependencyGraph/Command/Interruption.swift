import EssentialFoundation
import SystemCalls
import Threading

/// The end of the program by a signal, as by Ctrl-C.
public enum Interruption {
    /// From now on, a signal that ends the program removes its temporary folders first.
    ///
    /// Call it before there is another thread, which would receive the signals.
    public static func removeTemporaryFolders() {
        var signals = sigset_t()
        sigemptyset(&signals)
        // A signal that is ignored, as in the background or below nohup, does not end the program.
        for number in [SIGHUP, SIGINT, SIGTERM] where !POSIX.isIgnored(number) { sigaddset(&signals, number) }
        let waited = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        do {
            try SystemThread.detach { wait(for: waited) }
        } catch {
            // They end the program at once.
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        }
    }

    private static func wait(for signals: sigset_t) {
        var (signals, number) = (signals, Int32(0))
        sigwait(&signals, &number)
        // No other folder is made until the end.
        Files.temporaryFolders.withLock { folders in
            for folder in folders { try? FileManager.default.removeItem(atPath: folder) }
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            kill(getpid(), number)
            pause()
        }
    }
}
