import Foundation
import TestSupport

/// A client in C over libcurl, built by a script where there is a compiler.
struct NetworkCurlPeer {
    /// The program, or `nil` if it could not be built.
    let program: URL?
    /// The reason why there is no program.
    let reason: String

    init() {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let script = root.appendingPathComponent("NetworkPeers/build-curl-peer")
        do {
            let output = String(decoding: try Programs.run(script, []), as: UTF8.self)
            program = output.split(separator: "\n").last.map { URL(fileURLWithPath: String($0)) }
            reason = ""
        } catch {
            (program, reason) = (nil, "C over libcurl: not built (\(error))")
        }
    }

    /// Sends requests in a separate process.
    /// - Returns: seconds on the clock and of CPU, both of one request; nil where there is no program.
    /// - Throws: what the program said when it failed.
    func run(_ url: String, requests: Int, tasks: Int) throws -> (wall: Double, cpu: Double)? {
        guard let program else { return nil }
        let output = try Programs.run(program, [url, String(requests), String(tasks)])
        let seconds = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .compactMap { Double($0) }
        guard seconds.count == 2 else { return nil }
        return (seconds[0] / Double(requests), seconds[1] / Double(requests))
    }

    /// Ends transfers without a response, in a separate process.
    /// - Returns: when each was ended, in nanoseconds since the machine's start; nil where there is no program.
    /// - Throws: what the program said when it failed.
    func cancel(_ url: String, rounds: Int) throws -> [Int64]? {
        guard let program else { return nil }
        let output = try Programs.run(program, ["cancel", url, String(rounds)])
        return String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
    }
}
