import Foundation
import TestSupport

/// The greatest memory that a program needs for a long body: a program that does nothing else, in a fresh process.
struct NetworkMemory {
    /// The program; nil where it has not been built.
    private let program: URL?
    /// What is measured, or how it is to be built.
    let name: String

    /// A program of this package in the folder of this one.
    init(_ product: String, name: String) {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
            .appendingPathComponent(product)
        program = FileManager.default.isExecutableFile(atPath: beside.path) ? beside : nil
        self.name = program == nil ? "\(name): swift build -c release --product \(product)" : name
    }

    /// The client in C.
    init(_ peer: NetworkCurlPeer) {
        program = peer.program.value
        name = program == nil ? peer.program.reason : Peer.curl.name
    }

    /// Receives the long body in one of the ways: "gather", "stream" or "download".
    /// - Returns: the peak memory in MB (of 2^20 bytes); `nil` without the program, if the system does not report it, or if
    ///   the body was incomplete.
    /// - Throws: the error output of the program if it fails.
    func peak(_ way: String, _ url: String) throws -> Double? {
        guard let program else { return nil }
        let numbers = String(decoding: try Programs.run(program, [way, url]), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count == 2, numbers[0] == NetworkBenchServer.longBody, numbers[1] > 0 else { return nil }
        return Double(numbers[1]) / 1_024
    }

    /// Returns the peak memory in words, for the peers of a row.
    func description(_ way: String, _ url: String) -> String {
        guard program != nil else { return name }
        do {
            guard let peak = try peak(way, url) else { return "\(name): the body was not whole" }
            return "\(name): \(peak.brief) MB"
        } catch {
            return "\(name): \(error)"
        }
    }
}
