import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `session-probe gather|stream|download URL`: the same operations as network-probe, by URLSession, to compare the memory
/// of the two. A separate program, because network-probe links neither URLSession nor all of Foundation.
@main
struct SessionProbe {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[2]) else {
            return print("usage: session-probe gather|stream|download URL")
        }
        let bytes: Int
        switch arguments[1] {
        case "gather": bytes = try await URLSession(configuration: .ephemeral).data(from: url).0.count
        case "stream": bytes = try await SlowReader.read(url)
        default: bytes = try await download(url)
        }
        print(bytes, peak)
    }

    private static func download(_ url: URL) async throws -> Int {
        let file = try await URLSession(configuration: .ephemeral).download(from: url).0
        defer { try? FileManager.default.removeItem(at: file) }
        return try Data(contentsOf: file, options: .alwaysMapped).count
    }

    /// The peak memory in KiB; 0 if the system does not report it.
    private static var peak: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } } ?? 0
    }
}
