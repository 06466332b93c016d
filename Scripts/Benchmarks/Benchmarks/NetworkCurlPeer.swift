import Foundation
import TestSupport

/// The client in C over libcurl.
struct NetworkCurlPeer {
    /// The program, or the reason why it is missing.
    let program = Peer.curl.build()

    /// Sends requests in a separate process.
    ///
    /// - Returns: the wall-clock and processor seconds of one request; `nil` without the program.
    /// - Throws: the error output of the program if it fails.
    func run(_ url: String, requests: Int, tasks: Int) throws -> (wall: Double, cpu: Double)? {
        let seconds = try output([url, String(requests), String(tasks)])?.compactMap { Double($0) }
        guard let seconds, seconds.count == 2 else { return nil }
        return (seconds[0] / Double(requests), seconds[1] / Double(requests))
    }

    /// Cancels transfers without a response in a separate process.
    ///
    /// - Returns: the time of each, in nanoseconds since the start of the system; `nil` without the program.
    /// - Throws: the error output of the program if it fails.
    func cancel(_ url: String, rounds: Int) throws -> [Int64]? {
        try output(["cancel", url, String(rounds)])?.compactMap { Int64($0) }
    }

    private func output(_ arguments: [String]) throws -> [Substring]? {
        guard let program = program.value else { return nil }
        return String(decoding: try Programs.run(program, arguments), as: UTF8.self).split(
            whereSeparator: \.isWhitespace
        )
    }
}
