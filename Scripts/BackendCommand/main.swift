import LoopbackServer

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Signals are waited for below; every thread inherits this, so none of them is interrupted.
var signals = sigset_t()
sigemptyset(&signals)
sigaddset(&signals, SIGINT)
sigaddset(&signals, SIGTERM)
pthread_sigmask(SIG_BLOCK, &signals, nil)

do {
    switch try BackendCommand.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help: BackendCommand.write(BackendCommand.help, to: STDOUT_FILENO)
    case .draw(let drawing): try BackendCommand.draw(drawing)
    case .serve(let port, let fault):
        try BackendCommand.serve(port: port, fault: fault) {
            var signal: Int32 = 0
            sigwait(&signals, &signal)
        }
    }
} catch let error as BackendUsageError {
    BackendCommand.write("backend: \(error)\n", to: STDERR_FILENO)
    exit(2)
} catch {
    BackendCommand.write("backend: \(error)\n", to: STDERR_FILENO)
    exit(1)
}
