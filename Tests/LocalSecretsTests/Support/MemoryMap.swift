import Foundation

/// What is mapped into this process, as Linux tells it.
func memoryMap() throws -> String {
    // The file has no length: it is read to its end.
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps"))
    return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
}
