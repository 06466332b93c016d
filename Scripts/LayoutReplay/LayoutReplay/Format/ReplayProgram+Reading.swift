internal import JSONValues

extension ReplayProgram {
    /// Reads a replay.
    ///
    /// - Parameter text: JSON lines in UTF-8, one step a line; a byte-order mark and empty lines are ignored.
    /// - Throws: ``ReplayFailure`` for the first invalid line.
    public init(text: [UInt8]) throws(ReplayFailure) {
        let read = text.withUnsafeBufferPointer { bytes in
            Result { () throws(ReplayFailure) in try ReplayProgram.read(bytes) }
        }
        self = try read.get()
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(ReplayFailure) -> ReplayProgram {
        var program = ReplayProgram(lines: [])
        var isFirst = true
        var number = 0
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            number += 1
            let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
            start = end + 1
            guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
            let value: ReplayJSON
            do throws(JSONError) {
                value = try ReplayJSON(parsing: line)
            } catch {
                throw ReplayFailure(line: number, message: "not JSON at column \(error.column): \(error.message)")
            }
            do throws(ReplayLineReader.Failure) {
                var reader = try ReplayLineReader(value, isExtended: program.isExtended)
                if reader.isCase {
                    guard isFirst else { throw reader.failure("a case line may stand first only") }
                    (program.name, program.isExtended) = try reader.caseLine()
                } else {
                    program.lines.append(Line(number, try reader.step()))
                }
            } catch {
                throw ReplayFailure(line: number, message: error.message)
            }
            isFirst = false
        }
        return program
    }
}
