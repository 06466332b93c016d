/// The files that the processes of a test run open for reading, from the output of strace.
///
/// The trace is written by `strace -f -z -y -e trace=open,openat,openat2,creat,execve,fork,vfork,clone,clone3`: every line begins with
/// the number of a process, and a descriptor is followed by its absolute path.
struct FileTrace {
    /// The absolute paths of the files, each once.
    let files: Set<String>

    /// Reads a trace.
    init(_ text: String) {
        var reader = Reader()
        for line in text.split(separator: "\n") {
            guard let end = line.firstIndex(of: " ") else { continue }
            reader.read(line[end...].drop { $0 == " " }, process: line[..<end])
        }
        files = reader.filesOfTests
    }

    private struct Reader {
        /// The processes that run a test bundle.
        private var tests: Set<Substring> = []
        private var parents: [Substring: Substring] = [:]
        private var files: [Substring: Set<Substring>] = [:]
        /// The first part of a call during which another process ran.
        private var unfinished: [Substring: Substring] = [:]

        /// The files of the processes that run a test bundle, and of their children. A child may be traced before the call of
        /// its parent returns: this is known at the end only.
        var filesOfTests: Set<String> {
            var found: Set<String> = []
            for (process, files) in files where isTest(process) { found.formUnion(files.map(Self.unescaped)) }
            return found
        }

        private func isTest(_ process: Substring) -> Bool {
            var seen: Set<Substring> = []
            var current: Substring? = process
            while let process = current, seen.insert(process).inserted {
                if tests.contains(process) { return true }
                current = parents[process]
            }
            return false
        }

        mutating func read(_ call: Substring, process: Substring) {
            if call.hasSuffix("<unfinished ...>") {
                unfinished[process] = call
            } else if call.hasPrefix("<... "), let first = unfinished.removeValue(forKey: process) {
                finish(first, result: call, process: process)
            } else {
                finish(call, result: call, process: process)
            }
        }

        private mutating func finish(_ call: Substring, result: Substring, process: Substring) {
            guard let value = Self.returnValue(of: result) else { return }
            if call.hasPrefix("execve(") {
                if call.contains(".xctest") || call.contains("swiftpm-testing-helper") { tests.insert(process) }
            } else if call.hasPrefix("clone") || call.hasPrefix("fork(") || call.hasPrefix("vfork(") {
                parents[value.prefix { $0.isNumber }] = process
            } else if !call.contains("O_DIRECTORY"), !call.contains("O_WRONLY"), !call.hasPrefix("creat("),
                let open = value.firstIndex(of: "<"), value.last == ">"
            {
                files[process, default: []].insert(value[value.index(after: open)...].dropLast())
            }
        }

        /// Returns a name whose bytes strace escapes as in C, such as `\303\244` for a letter that is not ASCII.
        private static func unescaped(_ name: Substring) -> String {
            var bytes: [UInt8] = []
            var rest = name.utf8
            while let byte = rest.popFirst() {
                let digits = byte == UInt8(ascii: "\\") ? rest.prefix(3).prefix { (0x30...0x37).contains($0) } : nil
                if let digits, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8) {
                    bytes.append(value)
                    rest.removeFirst(digits.count)
                } else {
                    bytes.append(digits == nil ? byte : rest.popFirst() ?? byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Returns the text after the parenthesis of the call and an equals sign; strace aligns the sign with spaces.
        private static func returnValue(of result: Substring) -> Substring? {
            var rest = result
            while let equal = rest.firstRange(of: "= ") {
                if result[..<equal.lowerBound].last(where: { $0 != " " }) == ")" { return rest[equal.upperBound...] }
                rest = rest[equal.upperBound...]
            }
            return nil
        }
    }
}
