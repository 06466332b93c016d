internal import JSONValues

/// The error of a text that is not a replay.
public struct ReplayFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from one.
    public let line: Int
    /// The fault and what is expected.
    public let message: String

    /// The line and the message.
    public var description: String { "line \(line): \(message)" }
}

extension ReplayProgram {
    /// Reads a replay.
    ///
    /// - Parameter text: JSON lines in UTF-8, one step a line; a byte-order mark and empty lines are ignored.
    /// - Throws: ``ReplayFormatError`` for the first invalid line.
    public init(text: [UInt8]) throws(ReplayFormatError) {
        let read = text.withUnsafeBufferPointer { bytes in
            Result { () throws(ReplayFormatError) in try ReplayProgram.read(bytes) }
        }
        self = try read.get()
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(ReplayFormatError) -> ReplayProgram {
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
                throw ReplayFormatError(line: number, message: "not JSON at column \(error.column): \(error.message)")
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
                throw ReplayFormatError(line: number, message: error.message)
            }
            isFirst = false
        }
        return program
    }
}
