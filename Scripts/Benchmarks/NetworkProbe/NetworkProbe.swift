import EssentialFoundation
import NetworkProvider

/// `network-probe gather|stream|download|requests URL [COUNT [TASKS]]`: performs one operation and prints the bytes
/// received and the peak memory, so that memory and processor time of that operation can be measured.
@main
struct NetworkProbe {
    private struct Target: RemoteTargetType {
        let base: String
        let maximumBodyBytes = 1 << 30
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            return print("usage: network-probe gather|stream|download|requests URL [COUNT [TASKS]]")
        }
        let target = Target(base: arguments[2])
        let provider = NetworkProvider()
        let bytes: Int
        switch arguments[1] {
        case "gather": bytes = try await provider.request(target).count
        case "stream": bytes = try await stream(target, provider)
        case "download": bytes = try await download(target, provider)
        default:
            let numbers = arguments.dropFirst(3).map { Int($0) ?? 1 } + [1, 1]
            let (count, tasks) = (numbers[0], numbers[1])
            // Not on the main actor, where each response would cost a switch of threads.
            bytes = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<tasks {
                    group.addTask {
                        var bytes = 0
                        for _ in 0..<count / tasks { bytes += try await provider.request(target).count }
                        return bytes
                    }
                }
                var bytes = 0
                for try await part in group { bytes += part }
                return bytes
            }
        }
        print(bytes, peak)
    }

    private static func stream(_ target: Target, _ provider: NetworkProvider) async throws -> Int {
        var (count, pieces) = (0, 0)
        for try await piece in try await provider.stream(target).body {
            count += piece.count
            pieces += 1
            // A reader slower than the server: without back-pressure, the rest would be buffered here.
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

    /// The peak memory in KiB; 0 if the system does not report it.
    private static var peak: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } } ?? 0
    }
}
