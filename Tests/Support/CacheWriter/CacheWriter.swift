import Foundation
import HTTPCaching

/// Reads and writes a cache's folder at the same time as other processes, until it is done or killed.
///
/// usage: cache-writer FOLDER LIMIT ROUNDS SEED, with 0 rounds for no end. It exits with 1 if it reads a value that no process
/// can have written.
@main
struct CacheWriter {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let limit = Int(arguments[2]), let rounds = Int(arguments[3]),
            var state = UInt64(arguments[4])
        else { exit(2) }
        // Ends the process even if the test that would have killed it was killed.
        alarm(600)
        let store = HTTPDiskCacheStore(path: arguments[1], byteLimit: limit)
        var round = 0
        while rounds == 0 || round < rounds {
            round += 1
            // Knuth's generator of "The Art of Computer Programming", volume 2, table 3.3.4.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Int(state >> 33)
            let key = "k\(number % 20)"
            switch number / 20 % 8 {
            case 0..<3: try await store.set(value(of: key, count: number / 160 % 5_000), for: key)
            case 3:
                let writer = try await store.makeBody(for: key)
                for _ in 0..<3 { try await writer.write(value(of: key, count: 1_500)) }
                if number % 3 > 0 { try? await writer.commit() }
            case 4: try await store.remove(key)
            default:
                guard let data = try await store.value(for: key) else { continue }
                if !isPossible(data, for: key) { exit(1) }
            }
        }
    }

    /// A value whose bytes depend on its key and its length.
    private static func value(of key: String, count: Int) -> Data {
        Data(repeating: UInt8(key.dropFirst()) ?? 0, count: count)
    }

    private static func isPossible(_ data: Data, for key: String) -> Bool {
        data.count <= 5_000 && data.allSatisfy { $0 == UInt8(key.dropFirst()) ?? 0 }
    }
}
