import Foundation
import NetworkProvider

/// The greatest memory that a fresh process needs for a long body.
enum NetworkMemory {
    private static let variable = "PAWKIT_BENCH_URL"

    private struct Target: RemoteTargetType {
        let base: String
        let maximumBodyBytes: Int? = 1 << 30
    }

    /// The ways of taking it, each a process of its own.
    static let workloads: [Workload] = [
        Workload(name: "network.gather") { _ in
            measure { url in try await NetworkProvider().request(Target(base: url)).count }
        },
        Workload(name: "network.stream") { _ in
            measure { url in
                var (count, pieces) = (0, 0)
                for try await piece in try await NetworkProvider().stream(Target(base: url)).body {
                    count += piece.count
                    pieces += 1
                    // A reader slower than the server: without holding it back, the rest would pile up here.
                    if pieces.isMultiple(of: 8) { try await Task.sleep(for: .milliseconds(5)) }
                }
                return count
            }
        },
        Workload(name: "network.download") { _ in
            measure { url in
                let file = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
                defer { try? FileManager.default.removeItem(at: file) }
                try await NetworkProvider().download(Target(base: url), to: file.path)
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                return (attributes[.size] as? Int) ?? 0
            }
        },
    ]

    /// Short requests one after the other, for a profiler: `benchmarks --workload network.request --iterations 10000`.
    static let requests = Workload(name: "network.request") { iterations in
        guard let url = ProcessInfo.processInfo.environment[variable] else { return }
        let done = DispatchSemaphore(value: 0)
        Task {
            let provider = NetworkProvider()
            for _ in 0..<iterations { _ = try? await provider.request(Target(base: url)) }
            done.signal()
        }
        done.wait()
    }

    /// Runs a workload in a process of its own.
    /// - Returns: its greatest memory in MB (of 2^20 bytes); nil where the system does not tell.
    static func peak(of workload: String, _ url: String) throws -> Double? {
        #if os(Linux)
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["--workload", workload]
            process.environment = ProcessInfo.processInfo.environment.merging([variable: url]) { $1 }
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return text.split(whereSeparator: \.isWhitespace).last.flatMap { Double($0) }.map { $0 / 1_024 }
        #else
            return nil
        #endif
    }

    /// Takes the body and prints the peak in KiB, or nothing when the body was not whole.
    private static func measure(_ take: @escaping @Sendable (String) async throws -> Int) {
        guard let url = ProcessInfo.processInfo.environment[variable] else { return }
        let done = DispatchSemaphore(value: 0)
        Task {
            if let count = try? await take(url), count == NetworkBenchServer.longBody {
                let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
                let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
                if let peak = line?.split(whereSeparator: \.isWhitespace).dropFirst().first { print(peak) }
            }
            done.signal()
        }
        done.wait()
    }
}
