import Foundation
import SystemCalls
import TestSupport
import Testing
import Threading

@testable import LocalProvider

/// Places where nothing can be written, or nothing should.
@Suite("Folders and disks that refuse")
struct PlaceTests {
    private static let kinds = [LocalStoreKind.defaults, .propertyList]
    private static let mounts: Comment = "a small disk needs the right to mount"

    // MARK: Full disks

    @Test(
        "On a full disk, stored values are intact, and writing continues when there is space",
        .enabled(if: SmallDisk.isPossible, mounts),
        arguments: kinds
    )
    func full(kind: LocalStoreKind) throws {
        let disk = try SmallDisk(kilobytes: 512)
        let ballast = disk.folder.file("ballast")
        try Data(count: 200_000).write(to: ballast)
        let location = FileStoreLocation(directory: disk.path + "/data")
        let provider = LocalProvider(location: location)
        let text = String(repeating: "x", count: 900)
        func key(_ number: Int) -> LocalKey<String> { LocalKey("\(number % 1_000)", in: kind) }
        var stored = 0
        let error = #expect(throws: LocalError.self) {
            while true {
                try provider.set(key(stored), to: "\(stored) \(text)")
                stored += 1
            }
        }
        guard case .full(let path, _) = error else { throw CancellationError() }
        #expect(path.hasPrefix(disk.path) && error?.description.contains("No space is left") == true)
        #expect(stored > 20)
        func check(_ provider: LocalProvider, _ count: Int) throws {
            #expect(try provider.store(kind).count() == count)
            for number in 0..<count { #expect(try provider.read(key(number)) == "\(number) \(text)") }
            #expect(provider.recoveries.isEmpty)
        }
        try check(provider, stored)
        try check(LocalProvider(location: location), stored)
        // Again and again, without a half of anything left behind.
        for _ in 0..<5 {
            #expect(throws: LocalError.self) { try provider.set(key(stored), to: "\(stored) \(text)\(text)") }
        }
        try check(LocalProvider(location: location), stored)
        try FileManager.default.removeItem(at: ballast)
        for _ in 0..<20 {
            try provider.set(key(stored), to: "\(stored) \(text)")
            stored += 1
        }
        try check(provider, stored)
        try check(LocalProvider(location: location), stored)
    }

    @Test(
        "A full disk leaves the journal as it is until a compaction is requested, which needs no space",
        .enabled(if: SmallDisk.isPossible, mounts)
    )
    func fullWhileCompacting() throws {
        let disk = try SmallDisk(kilobytes: 400)
        let store = JSONDefaults(location: FileStoreLocation(directory: disk.path + "/data"))
        let name = try LocalIdentifier("counter")
        let filler = String(repeating: "x", count: 2_000)
        for number in 0..<100 { try store.set("\(number)", "\(number) \(filler)") }
        // Two files of this size do not fit: each attempt to compact fails, and the journal grows until nothing fits.
        var last = 0
        #expect(throws: LocalError.self) {
            while true {
                try store.set("\(last + 1) \(filler)", for: name, rule: .set, durability: .written)
                last += 1
            }
        }
        #expect(last > 20)
        let before = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int ?? 0
        try store.compactNow()
        let after = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int ?? .max
        #expect(after < before - last * 1_000)
        let again = JSONDefaults(location: FileStoreLocation(directory: disk.path + "/data"))
        #expect(try again.value(for: name, as: String.self)?.hasPrefix("\(last) ") == true)
        #expect(try again.count() == 101)
        #expect(again.recoveries.isEmpty)
    }

    // MARK: Places that may not be written

    @Test(
        "A read-only disk returns its values, and writing throws",
        .enabled(if: SmallDisk.isPossible, mounts)
    )
    func readOnlyDisk() throws {
        let disk = try SmallDisk(kilobytes: 512)
        let location = FileStoreLocation(directory: disk.path + "/data")
        for kind in Self.kinds { try LocalProvider(location: location).set(LocalKey("a", in: kind), to: 1) }
        try disk.makeReadOnly()
        let provider = LocalProvider(location: location)
        for kind in Self.kinds {
            #expect(try provider.read(LocalKey<Int>("a", in: kind)) == 1)
            let error = #expect(throws: LocalError.self) { try provider.set(LocalKey("a", in: kind), to: 2) }
            guard case .notPermitted = error else { throw CancellationError() }
            #expect(try provider.read(LocalKey<Int>("a", in: kind)) == 1)
        }
    }

    @Test("A missing permission throws notPermitted and never looks like an empty store", arguments: [0o555, 0o000])
    func permissions(mode: Int) async throws {
        let folder = try TemporaryDirectory("denied")
        let data = folder.file("data")
        let provider = LocalProvider(location: FileStoreLocation(directory: data))
        for kind in Self.kinds { try provider.set(LocalKey("a", in: kind), to: 1) }
        let paths =
            try [data.path] + FileManager.default.subpathsOfDirectory(atPath: data.path).map { data.path + "/" + $0 }
        var states: [String: Data] = [:]
        for path in paths { states[path] = FileManager.default.contents(atPath: path) }
        func setMode(_ file: Int, _ folder: Int) {
            for path in paths.reversed() { chmod(path, mode_t(states[path] == nil ? folder : file)) }
        }
        setMode(mode & 0o444, mode)
        defer { setMode(0o600, 0o700) }
        let result = try await ChildProcess.run(
            ChildProcess.productsDirectory.appendingPathComponent("crash-writer"),
            ["denied", data.path]
        )
        // The process stores its progress in the folder, as the superuser or not at all.
        try? FileManager.default.removeItem(atPath: data.path + "/acknowledged")
        let lines = result.output.split(separator: "\n").map(String.init)
        let read = mode == 0 ? "not permitted true" : "1"
        #expect(
            lines == Self.kinds.flatMap { ["\($0) read \(read)", "\($0) set not permitted true"] },
            "\(result.output) \(result.errors)"
        )
        setMode(0o600, 0o700)
        for (path, contents) in states { #expect(FileManager.default.contents(atPath: path) == contents) }
    }

    @Test("A place where no folder can be created throws an error that says so", arguments: kinds)
    func nowhere(kind: LocalStoreKind) throws {
        let provider = LocalProvider(location: FileStoreLocation(directory: "/proc/1/pawkit"))
        #expect(try provider.value(of: LocalKey<Int>("a", in: kind)) == nil)
        #expect(throws: LocalError.self) { try provider.set(LocalKey("a", in: kind), to: 1) }
    }

    @Test("A file in place of the folder makes every call throw and is not an empty store", arguments: kinds)
    func fileInTheWay(kind: LocalStoreKind) throws {
        let folder = try TemporaryDirectory("file")
        let file = try folder.write("precious", to: "data")
        let provider = LocalProvider(location: FileStoreLocation(directory: file))
        let key = LocalKey<Int>("a", in: kind)
        let calls: [() throws -> Void] = [
            { _ = try provider.value(of: key) }, { _ = try provider.contains(key) }, { try provider.set(key, to: 1) },
            { try provider.delete(key) }, { _ = try provider.count(in: kind) },
            { _ = try provider.all(Int.self, in: kind) },
        ]
        for call in calls {
            let error = #expect(throws: LocalError.self) { try call() }
            guard case .notPermitted(let path, ENOTDIR) = error else { throw CancellationError() }
            #expect(path.hasPrefix(file.path))
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == "precious")
    }

    @Test(
        "A relative location is resolved against the working folder at its creation",
        arguments: ["x", "./x", "x/y/"]
    )
    func relative(path: String) {
        let made = FileStoreLocation(directory: path).path
        #expect(made.hasPrefix(FileManager.default.currentDirectoryPath + "/") && !made.hasSuffix("/"))
        let first = String(path.prefix { $0 != "/" })
        #expect(made.contains(first))
        #expect(FileStoreLocation(directory: "").path == FileManager.default.currentDirectoryPath)
        #expect(FileStoreLocation(directory: "/").path == "/")
    }

    @Test("A path with a NUL is refused, and the file at which it would end is unchanged", arguments: kinds)
    func nul(kind: LocalStoreKind) throws {
        let folder = try TemporaryDirectory("nul")
        let file = try folder.write("precious", to: "file")
        let provider = LocalProvider(location: FileStoreLocation(directory: file.path + "\u{0}/data"))
        #expect(throws: LocalError.self) { try provider.set(LocalKey("a", in: kind), to: 1) }
        #expect(throws: LocalError.self) { try provider.removeAll(in: kind) }
        #expect(try String(contentsOf: file, encoding: .utf8) == "precious")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test("A removed folder is an empty store, and the next write creates it again", arguments: kinds)
    func vanishes(kind: LocalStoreKind) throws {
        let folder = try TemporaryDirectory("vanish")
        let data = folder.file("data")
        let provider = LocalProvider(location: FileStoreLocation(directory: data))
        let key = LocalKey<Int>("a", in: kind)
        for round in 0..<20 {
            // Room and all.
            try provider.set(key, to: round)
            if round % 2 == 0 {
                try FileManager.default.removeItem(at: data)
            } else {
                try FileManager.default.moveItem(at: data, to: folder.file("moved \(round)"))
            }
            #expect(try provider.value(of: key) == nil)
            try provider.set(key, to: -round)
            #expect(try provider.read(key) == -round)
            #expect(try LocalProvider(location: FileStoreLocation(directory: data)).read(key) == -round)
        }
        #expect(provider.recoveries.isEmpty)
    }

    // MARK: Symbolic links

    @Test("A symbolic link in place of a file is refused or replaced, and its target unchanged")
    func symbolicLinks() throws {
        let refused = [
            "defaults.journal", "defaults.journal.lock", "defaults.journal.backup", "plists/a.plist", "plists/.lock",
            "plists/.schema", "plists/.schema.backup",
        ]
        let replaced = [
            "defaults.journal.tmp", "defaults.journal.backup.tmp", "plists/a.plist.tmp",
            "plists/a.plist.backup", "plists/a.plist.backup.tmp", "plists/a.plist.damaged", "plists/.schema.tmp",
            "plists/.v1",
        ]
        for name in refused + replaced {
            let folder = try TemporaryDirectory("links")
            let target = try folder.write("precious", to: "target")
            let kind: LocalStoreKind = name.hasPrefix("plists") ? .propertyList : .defaults
            let data = folder.file("data")
            let plists = data.appendingPathComponent("plists")
            try FileManager.default.createDirectory(at: plists, withIntermediateDirectories: true)
            let link = data.appendingPathComponent(name)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
            let provider = LocalProvider(location: FileStoreLocation(directory: data))
            do {
                try provider.set(LocalKey("a", in: kind), to: 1)
                try provider.set(LocalKey("a", in: kind), to: 2)
                try provider.defaults.compactNow()
                #expect(replaced.contains(name), "written through \(name)")
                #expect(try provider.read(LocalKey<Int>("a", in: kind)) == 2)
            } catch {
                #expect(refused.contains(name), "\(name): \(error)")
                guard case .notPermitted(let path, _) = error else { throw error }
                #expect(path.hasPrefix(folder.path) && error.description.contains("symbolic link"))
            }
            #expect(try String(contentsOf: target, encoding: .utf8) == "precious", "\(name)")
        }
    }

    // MARK: Pipes

    @Test("A named pipe in place of a file is refused or replaced without waiting for it", .timeLimit(.minutes(10)))
    func pipes() async throws {
        for name in [
            "defaults.journal", "defaults.journal.lock", "defaults.journal.backup", "defaults.journal.tmp",
            "plists/a.plist", "plists/.lock", "plists/a.plist.backup", "plists/a.plist.tmp", "plists/.schema",
            "plists/.schema.backup",
        ] {
            let folder = try TemporaryDirectory("pipes")
            let plists = folder.file("plists")
            try FileManager.default.createDirectory(at: plists, withIntermediateDirectories: false)
            #expect(mkfifo(folder.file(name).path, 0o600) == 0)
            let results = Locked<[LocalError?]>([])
            let location = FileStoreLocation(directory: folder.path)
            Thread.detachNewThread {
                let key = LocalKey<Int>("a", in: name.hasPrefix("plists") ? .propertyList : .defaults)
                let provider = LocalProvider(location: location)
                for call in [{ _ = try provider.value(of: key) }, { try provider.set(key, to: 1) }] {
                    var failure: (any Error)?
                    do { try call() } catch { failure = error }
                    results.withLock { $0.append(failure as? LocalError) }
                }
            }
            try await eventually { results.withLock { $0.count } == 2 }
            for case .some(let error) in results.withLock({ $0 }) {
                guard case .notPermitted(let path, _) = error else { throw error }
                #expect(path == folder.file(name).path, "\(error)")
            }
        }
    }
}
