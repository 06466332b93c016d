import Foundation
import TestSupport

/// Measures a sync of many todos with Radicale, with vdirsyncer on the same list beside it.
struct SyncBenchmark: Benchmark {
    let area = "sync"
    let summary = "time, memory, requests and bytes of a sync of 10,000 todos with Radicale, beside vdirsyncer"

    private static let count = 10_000

    func run() async throws -> [BenchmarkRow] {
        guard let program = DogProgram.path else { return [missing(DogProgram.reason)] }
        guard let python = CalDAVServerKind.peers, let kind = CalDAVServerKind.installed.first(where: \.isRadicale)
        else { return [missing("radicale or vdirsyncer is not installed: see .ci/run")] }
        let server = try await Self.start(kind)
        defer { server.stop() }
        let sides = try SyncSides(server, program, python.path, todos: Self.count)

        try sides.warmUp()
        let first = try (ours: sides.setUpDog(), theirs: sides.setUpPeer())
        let nothing = try (ours: sides.dog("sync"), theirs: sides.peer("sync"))
        try sides.changeServer()
        let there = try (ours: sides.dog("sync"), theirs: sides.peer("sync"))
        // Each side begins without changes of the other one.
        try sides.changePeer()
        let theirs = try sides.peer("sync")
        _ = try sides.dog("sync")
        try sides.changeDog()
        let here = try (ours: sides.dog("sync"), theirs: theirs)

        let memory = (ours: first.ours.process.megabytes, theirs: first.theirs.process.megabytes)
        let against = "vdirsyncer: \(memory.theirs.brief) MB"
        return rows("first sync", first, bound: 1, requests: nil)
            + rows("nothing new", nothing, bound: 0.1, requests: 2)
            + rows("one change on the server", there, bound: 0.1, requests: 4)
            + rows("one change here", here, bound: 0.1, requests: 4)
            + [row("memory of the first sync", memory.ours, "MB", atMost: 150, against: against)]
    }

    /// Starts the server with its data in memory: on a disk it synchronises two files for each todo that it reads for the first
    /// time, which takes minutes, and the requests for these reach their time limit.
    private static func start(_ kind: CalDAVServerKind) async throws -> CalDAVServer {
        let folder = ProcessInfo.processInfo.environment["TMPDIR"]
        if FileManager.default.isWritableFile(atPath: "/dev/shm") { setenv("TMPDIR", "/dev/shm", 1) }
        defer { if let folder { setenv("TMPDIR", folder, 1) } else { unsetenv("TMPDIR") } }
        return try await CalDAVServer(kind)
    }

    private func missing(_ reason: String) -> BenchmarkRow {
        row("nothing new against vdirsyncer", nil, "x", atMost: 0.1, against: reason)
    }

    private func rows(
        _ name: String,
        _ sides: (ours: SyncSides.Figures, theirs: SyncSides.Figures),
        bound: Double,
        requests: Int?
    ) -> [BenchmarkRow] {
        let ratio = sides.ours.milliseconds / sides.theirs.milliseconds
        let against = "Dog \(sides.ours); vdirsyncer \(sides.theirs)"
        let time = row("\(name) against vdirsyncer", ratio, "x", atMost: bound, against: against)
        guard let requests else { return [time] }
        let (count, other) = (Double(sides.ours.requests), "vdirsyncer: \(sides.theirs.requests)")
        return [time, row("requests, \(name)", count, "requests", atMost: Double(requests), against: other)]
    }
}

/// The same list of a server, synced by Dog and by vdirsyncer.
private struct SyncSides {
    /// What a sync has cost; the time contains that of the server.
    struct Figures: CustomStringConvertible {
        let milliseconds: Double
        let process: ProcessTime
        let requests: Int
        /// How long the server has worked on the requests, as it says.
        let serverSeconds: Double
        /// The bytes over the loopback interface; `nil` on another system.
        let bytes: Int?

        var description: String {
            let transferred = bytes.map { ", \((Double($0) / 1000).brief) kB" } ?? ""
            return "\((milliseconds / 1000).brief) s, \(process.milliseconds.brief) ms of its own, "
                + "\(requests) requests of \(serverSeconds.brief) s on the server" + transferred
        }
    }

    private let server: CalDAVServer
    private let program: String
    private let python: String
    private let folder: TemporaryDirectory
    private let list: URL

    init(_ server: CalDAVServer, _ program: String, _ python: String, todos: Int) throws {
        (self.server, self.program, self.python) = (server, program, python)
        folder = try TemporaryDirectory("sync-bench")
        list = server.folder.file("data/collection-root/dog/work")
        try FileManager.default.createDirectory(at: list, withIntermediateDirectories: true)
        let properties =
            #"{"tag": "VCALENDAR", "D:displayname": "Work", "C:supported-calendar-component-set": "VTODO"}"#
        try Data(properties.utf8).write(to: list.appending(path: ".Radicale.props"))
        for number in 0..<todos { try write(number, "todo number \(number) 우유") }
        let storage = [
            "[general]\nstatus_path = \"\(folder.path)/status/\"",
            "[pair todos]\na = \"here\"\nb = \"there\"\ncollections = [\"from b\"]",
            "[storage here]\ntype = \"filesystem\"\npath = \"\(folder.path)/todos/\"\nfileext = \".ics\"",
            "[storage there]\ntype = \"caldav\"\nurl = \"\(server.url.absoluteString)/\"\nusername = \"dog\"\npassword = \"secret1\"",
        ]
        try folder.write(storage.joined(separator: "\n"), to: "vdirsyncer.conf")
    }

    private func file(_ number: Int) -> String { "bench-\(number).ics" }

    private func write(_ number: Int, _ title: String) throws {
        let lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//PawKit//Benchmarks//EN", "BEGIN:VTODO", "UID:bench-\(number)",
            "DTSTAMP:20260101T000000Z", "CREATED:20260101T000000Z", "LAST-MODIFIED:20260101T000000Z",
            "SUMMARY:\(title)",
            "CATEGORIES:+project\(number % 20),shop", "PRIORITY:5", "STATUS:NEEDS-ACTION", "END:VTODO", "END:VCALENDAR",
            "",
        ]
        try Data(lines.joined(separator: "\r\n").utf8).write(to: list.appending(path: file(number)), options: .atomic)
    }

    // MARK: Changes

    func changeServer() throws { try write(7, "changed on the server") }

    func changePeer() throws {
        let path = folder.file("todos/work").appending(path: file(8))
        let text = try String(contentsOf: path, encoding: .utf8)
        try Data(text.replacing("todo number 8 ", with: "changed by vdirsyncer ").utf8).write(to: path)
    }

    func changeDog() throws {
        let script =
            #"id=$("$0" todo list 'todo number 9 ' --columns id | head -n 1); exec "$0" todo edit "$id" --title x"#
        _ = try ProcessTime(running: "/usr/bin/env", environment + ["/bin/sh", "-c", script, program])
    }

    // MARK: Commands

    /// A proxy in the environment would receive the requests.
    private var environment: [String] {
        ["http", "https", "all", "HTTP", "HTTPS", "ALL"].flatMap { name in
            ["-u", name + (name == name.lowercased() ? "_proxy" : "_PROXY")]
        } + ["HOME=\(folder.path)", "PAWKIT_DATA_DIR=\(folder.file("dog").path)", "LC_ALL=C.UTF-8"]
    }

    /// Has the server read its files, so that neither side waits for that.
    func warmUp() throws { _ = try setUpDog("warm-up") }

    func setUpDog(_ data: String = "dog") throws -> Figures {
        let arguments = [
            program, "--data-dir", folder.file(data).path, "sync", "add", server.url.absoluteString, "--user", "dog",
            "--list", "Work", "--quiet",
        ]
        return try measure(["/bin/sh", "-c", #"echo secret1 | "$0" "$@""#] + arguments)
    }

    func setUpPeer() throws -> Figures {
        _ = try measure(["/bin/sh", "-c", #"yes | "$0" "$@""#] + peer + ["discover"])
        return try peer("sync")
    }

    func dog(_ command: String) throws -> Figures { try measure([program, command, "--quiet"]) }

    func peer(_ command: String) throws -> Figures { try measure(peer + [command]) }

    /// The peer without a limit of five minutes for a request: on a slow or busy machine, a list of all todos takes longer, and
    /// would be requested anew.
    private var peer: [String] {
        let program =
            "import aiohttp.client as http, vdirsyncer.cli as cli"
            + "; http.DEFAULT_TIMEOUT = http.ClientTimeout(total=None); cli.app()"
        return [python, "-c", program, "-c", folder.file("vdirsyncer.conf").path]
    }

    private func measure(_ words: [String]) throws -> Figures {
        let (requests, serverSeconds, bytes) = (
            try server.requests().count, try server.secondsOfRequests(), Self.loopbackBytes
        )
        let clock = ContinuousClock()
        let start = clock.now
        let process = try ProcessTime(running: "/usr/bin/env", environment + words)
        let time = clock.now - start
        return Figures(
            milliseconds: time / .milliseconds(1),
            process: process,
            requests: try server.requests().count - requests,
            serverSeconds: try server.secondsOfRequests() - serverSeconds,
            bytes: Self.loopbackBytes.flatMap { now in bytes.map { now - $0 } }
        )
    }

    /// The bytes that the loopback interface has received.
    private static var loopbackBytes: Int? {
        let text = try? String(contentsOfFile: "/proc/net/dev", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix("lo:") }
        return line?.split(separator: ":").last?.split(separator: " ").first.flatMap { Int($0) }
    }
}
