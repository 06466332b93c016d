import Foundation

/// The mapped files of this process, as Linux reports them.
func memoryMap() throws -> String {
    // The file has no length: it is read to its end.
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps"))
    return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
}
