/// The files that C sources include by a path: `#include "../Shared/common.h"`.
///
/// The branches of `#if` are not distinguished. A name without a path is in the folder of the file or in a header search path.
struct IncludedHeaders {
    /// The absolute path of each file, and the file that includes it.
    private(set) var places: [(path: String, includedBy: String)] = []

    /// Reads the sources of a target, and the headers that they include by a path.
    ///
    /// - Parameters:
    ///   - sources: the paths below the package's folder; those of Swift are ignored.
    ///   - tree: reads the files.
    init(of sources: [String], in tree: SourceTree) {
        var waiting = sources.filter { file in !Self.otherEndings.contains(where: file.hasSuffix) }
        let own = Set(waiting)
        var seen = Set(waiting.map(tree.absolute))
        while let file = waiting.popLast() {
            // A header that does not exist, such as a removed one, is an input nevertheless.
            guard let bytes = try? tree.bytes(of: file) else { continue }
            let path = tree.absolute(file)
            let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
            for name in Self.names(in: bytes) where !name.hasPrefix("/") {
                // The files beside a source are files of the target; those beside a header elsewhere are not.
                guard name.contains("..") || !own.contains(file) else { continue }
                let header = (folder + name).absolutePath
                guard seen.insert(header).inserted else { continue }
                places.append((header, file))
                waiting.append(header.relative(to: tree.root) ?? header)
            }
        }
    }

    private static let otherEndings = [".swift", ".modulemap"]

    /// Returns the names in the lines `#include "NAME"` and `#import "NAME"`.
    private static func names(in bytes: [UInt8]) -> [String] {
        func rest<Text: Collection<UInt8>>(_ text: Text, after word: String) -> Text.SubSequence? {
            let text = text.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            return text.starts(with: word.utf8) ? text.dropFirst(word.utf8.count) : nil
        }
        return bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.compactMap { line in
            guard let directive = rest(line, after: "#"),
                let operand = rest(directive, after: "include") ?? rest(directive, after: "import"),
                let name = rest(operand, after: "\"")
            else { return nil }
            return String(decoding: name.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        }
    }
}
