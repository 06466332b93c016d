import SystemCalls
import TransportConformance
import URLSessionTransport

/// `transport-probe NAME ROUNDS`: runs a conformance case repeatedly over URLSession, in a process that may terminate.
/// Prints how often the case passed; exit status 3 if a round did not end.
@main
struct TransportProbe {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let rounds = Int(arguments[2]),
            let conformance = ConformanceCase.all.first(where: { $0.name == arguments[1] })
        else { return print("usage: transport-probe NAME ROUNDS") }
        var held = 0
        for _ in 0..<rounds {
            do {
                try await conformance.run { URLSessionTransport(connection: $0) }
                held += 1
            } catch let failure as ConformanceFailure where failure.isHang {
                print("hung: \(failure)")
                exit(3)
            } catch {
                print("failed: \(error)")
            }
        }
        print("held \(held) of \(rounds)")
    }
}
