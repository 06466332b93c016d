import Foundation
import TestSupport

/// The greatest memory that a program needs for a long body: a program that does nothing else, in a fresh process.
struct NetworkMemory {
    /// The program, beside this one; nil where it has not been built.
    private let probe: URL?

    init() {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
            .appendingPathComponent("network-probe")
        probe = FileManager.default.isExecutableFile(atPath: beside.path) ? beside : nil
    }

    /// What the figures come from, or why there are none.
    var source: String {
        probe == nil
            ? "network-probe is not built: swift build -c release --product network-probe" : "a process of its own"
    }

    /// Has the long body taken in one of the ways: "gather", "stream" or "download".
    /// - Returns: the greatest memory in MB (of 2^20 bytes); nil without the program, where the system does not tell, or
    ///   when the body was not whole.
    /// - Throws: what the program said when it failed.
    func peak(_ way: String, _ url: String) throws -> Double? {
        guard let probe else { return nil }
        let numbers = String(decoding: try Programs.run(probe, [way, url]), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count == 2, numbers[0] == NetworkBenchServer.longBody, numbers[1] > 0 else { return nil }
        return Double(numbers[1]) / 1_024
    }
}
