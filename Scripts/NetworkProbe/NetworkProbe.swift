import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `network-probe gather|stream|download|requests URL [COUNT]`: does one thing and prints what it saw, so that the
/// memory and the instructions of a program that does nothing else can be looked at.
@main
struct NetworkProbe {
    private struct Target: RemoteTargetType {
        let base: String
        let maximumBodyBytes: Int? = 1 << 30
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            return print("usage: network-probe gather|stream|download|requests URL [COUNT]")
        }
        let target = Target(base: arguments[2])
        let provider = NetworkProvider()
        let bytes: Int
        switch arguments[1] {
        case "gather": bytes = try await provider.request(target).count
        case "stream": bytes = try await stream(target, provider)
        case "download": bytes = try await download(target, provider)
        default:
            let count = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
            // Off the main actor, whose queue would cost a thread's turn for each answer.
            bytes = try await Task.detached {
                var bytes = 0
                for _ in 0..<count { bytes += try await provider.request(target).count }
                return bytes
            }.value
        }
        print(bytes, peak)
    }

    private static func stream(_ target: Target, _ provider: NetworkProvider) async throws -> Int {
        var (count, pieces) = (0, 0)
        for try await piece in try await provider.stream(target).body {
            count += piece.count
            pieces += 1
            // A reader slower than the server: without holding it back, the rest would pile up here.
            if pieces.isMultiple(of: 8) { try await Task.sleep(for: .milliseconds(5)) }
        }
        return count
    }

    private static func download(_ target: Target, _ provider: NetworkProvider) async throws -> Int {
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await provider.download(target, to: file)
        return try Data(contentsOf: URL(filePath: file), options: .alwaysMapped).count
    }

    /// The greatest memory so far in KiB; 0 where the system does not tell.
    private static var peak: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } } ?? 0
    }
}
