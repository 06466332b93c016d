import Foundation
import TestSupport

/// A program to compare with, which a script builds where its libraries are installed.
struct Peer: Sendable {
    /// The name in the rows.
    let name: String
    /// The script, in Scripts/Benchmarks/Peers.
    let script: String

    /// A client over libcurl.
    static let curl = Peer(name: "C over libcurl", script: "Network/build-curl-peer")
    /// The constraint solver of kiwisolver.
    static let kiwi = Peer(name: "kiwi", script: "Layout/build-kiwi")
    /// The decoders of libjpeg and libpng.
    static let pictureLibraries = Peer(name: "the C library alone", script: "Picture/build-picture-peer")
    /// Screens drawn with ncurses.
    static let ncurses = Peer(name: "ncurses", script: "Terminal/build-ncurses-peer")

    /// Builds the program unless it is up to date.
    ///
    /// - Returns: the program, or the reason why it is missing.
    func build() -> Result<URL, Missing> {
        do {
            let output = try Programs.run(Project.root.appending(path: "Scripts/Benchmarks/Peers/\(script)"), [])
            let path = String(decoding: output, as: UTF8.self).split(separator: "\n").last ?? ""
            return .success(URL(filePath: String(path)))
        } catch {
            return .failure(Missing(description: "\(name) is missing: \(error)"))
        }
    }

    /// The reason why a peer cannot be measured.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }
}

extension Result {
    /// The value of a success.
    var value: Success? { try? get() }
}

extension Result where Failure == Peer.Missing {
    /// The reason of a failure, empty for a success.
    var reason: String { if case .failure(let missing) = self { missing.description } else { "" } }
}
