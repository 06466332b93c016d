import Foundation

/// The solver kiwi, run by a driver that a script builds where it can.
struct KiwiPeer {
    private let driver: String?
    /// Why there is no driver.
    let reason: String

    init() {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let script = root.appendingPathComponent("LayoutPeers/build-kiwi")
        do {
            let (output, errors, status) = try KiwiPeer.run(script.path, [])
            driver = status == 0 ? output.split(separator: "\n").last.map(String.init) : nil
            reason = errors.split(separator: "\n").last.map(String.init) ?? "Scripts/LayoutPeers/build-kiwi failed"
        } catch {
            driver = nil
            reason = "\(error)"
        }
    }

    /// Runs a program.
    ///
    /// - Returns: the microseconds of each phase; nil where there is no driver.
    /// - Throws: what the file system throws.
    func run(_ program: LayoutProgram) throws -> [Double]? {
        guard let driver else { return nil }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("layout-\(UUID().uuidString).txt")
        try program.text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let (output, _, status) = try KiwiPeer.run(driver, [file.path])
        guard status == 0 else { return nil }
        let times = output.split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
        return times.count == program.phases.count ? times : nil
    }

    private static func run(_ path: String, _ arguments: [String]) throws -> (String, String, Int32) {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let problems = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, problems, process.terminationStatus)
    }
}
