import EssentialFoundation
import LocalProvider
import SystemCalls
import TodoCore

/// A process to be killed: `crash-writer MODE FOLDER [COUNT]`.
///
/// COUNT ends it after that many writes, where the mode knows an end. After each write that has returned, it
/// writes its number to the file `acknowledged`.
@main
struct CrashWriter {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { throw Wrong(arguments) }
        // Ends the process even if the test that would have killed it was killed.
        alarm(600)
        let location = FileStoreLocation(directory: arguments[2])
        let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
        let progress = try Progress(arguments[2] + "/acknowledged")
        switch arguments[1] {
        case "defaults": try defaults(location, count, progress)
        case "plist": try propertyLists(location, count, progress)
        case "todos": try await todos(location, progress)
        case "count": try increments(location, count)
        case "count-plist": try documentIncrements(location, count)
        case "full": try untilFull(location, count, progress)
        case "full-plist": try documentUntilFull(location, count, progress)
        case "denied": try denied(location)
        case "list": try await list(location)
        case "theme": try theme(location)
        case "busy": try busy(location)
        case "migrate-defaults": try migrate(.defaults, location, count)
        case "migrate-plist": try migrate(.propertyList, location, count)
        default: throw Wrong(arguments)
        }
    }

    struct Wrong: Error {
        var arguments: [String]
        init(_ arguments: [String]) { self.arguments = arguments }
    }

    /// The number of the last write that has returned, in a file that outlives the process.
    struct Progress {
        let descriptor: Int32

        init(_ path: String) throws {
            descriptor = open(path, O_RDWR | O_CREAT, 0o600)
            guard descriptor >= 0 else { throw Wrong([path]) }
        }

        func acknowledge(_ number: Int) {
            var number = UInt64(number).littleEndian
            pwrite(descriptor, &number, 8, 0)
        }
    }

    /// Options of a process that waits for others as long as it takes: what it shows is no matter of time.
    static var patient: LocalProvider.Options {
        var options = LocalProvider.Options()
        options.defaults.lockTimeLimit = .seconds(600)
        options.propertyLists.lockTimeLimit = .seconds(600)
        return options
    }

    static let filler = String(repeating: "한글 filler ", count: 80)

    /// Sets values of about a kilobyte and a counter, so that there is a compaction about every hundred writes.
    private static func defaults(_ location: FileStoreLocation, _ count: Int, _ progress: Progress) throws {
        let provider = LocalProvider(location: location)
        let counter = LocalKey("counter", in: .defaults, default: 0)
        var number = try provider.read(counter)
        let last = count > 0 ? number + count : .max
        while number < last {
            number += 1
            try provider.set(LocalKey("blob\(number % 20)", in: .defaults), to: "\(number) \(filler)")
            try provider.set(counter, to: number)
            progress.acknowledge(number)
        }
    }

    /// Replaces one document again and again.
    private static func propertyLists(_ location: FileStoreLocation, _ count: Int, _ progress: Progress) throws {
        var options = LocalProvider.Options()
        options.propertyLists.format = getpid() % 2 == 0 ? .binary : .xml
        let provider = LocalProvider(location: location, options: options)
        let document = LocalKey("document", of: [String: String].self, in: .propertyList)
        var number = try Int(provider.value(of: document)?["number"] ?? "0") ?? 0
        let last = count > 0 ? number + count : .max
        while number < last {
            number += 1
            try provider.set(document, to: ["number": "\(number)", "text": "\(number) \(filler)"])
            progress.acknowledge(number)
        }
    }

    /// Adds todos titled with their number.
    private static func todos(_ location: FileStoreLocation, _ progress: Progress) async throws {
        let store = TodoStore(directory: location)
        var number = try await store.todos().count
        while true {
            number += 1
            _ = try await store.add(
                TodoChange(title: "\(number)", projects: ["project\(number % 7)"], contexts: ["desk"])
            )
            progress.acknowledge(number)
        }
    }

    /// Adds 1 to a counter, `count` times, with other values in between that make for compactions.
    private static func increments(_ location: FileStoreLocation, _ count: Int) throws {
        let provider = LocalProvider(location: location, options: patient)
        let counter = LocalKey("counter", in: .defaults, default: 0)
        for number in 0..<count {
            try provider.update(counter, durability: .written) { $0 = ($0 ?? 0) + 1 }
            let key = LocalKey<String>("blob\(number % 3)", in: .defaults)
            try provider.set(key, to: "\(getpid()) \(number) \(filler)", durability: .written)
        }
    }

    /// Sets values where no file may grow beyond `limit` bytes, until that fails; prints the error.
    private static func untilFull(_ location: FileStoreLocation, _ limit: Int, _ progress: Progress) throws {
        limitFiles(to: limit)
        let provider = LocalProvider(location: location)
        for number in 1... {
            do throws(LocalError) {
                try provider.set(LocalKey("blob\(number)", in: .defaults), to: "\(number) \(filler)")
            } catch {
                print(error.description)
                return
            }
            progress.acknowledge(number)
        }
    }

    /// Lets no file of this process grow beyond a size.
    static func limitFiles(to limit: Int) {
        signal(SIGXFSZ, SIG_IGN)
        var size = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size)
        #else
            setrlimit(RLIMIT_FSIZE, &size)
        #endif
    }

    /// Changes one small value again and again.
    private static func theme(_ location: FileStoreLocation) throws {
        let provider = LocalProvider(location: location)
        for number in 1... {
            try provider.set(LocalKey("theme", in: .defaults), to: "\(number)", durability: .written)
            usleep(1_000)
        }
    }

    /// Adds 1 to a counter without end, and holds the lock for about three milliseconds each time.
    private static func busy(_ location: FileStoreLocation) throws {
        let provider = LocalProvider(location: location, options: patient)
        let counter = LocalKey("counter", in: .defaults, default: 0)
        while true {
            try provider.update(counter, durability: .written) { value in
                usleep(3_000)
                value = (value ?? 0) + 1
            }
        }
    }

    /// Lists the todos, and prints their count and the CPU time that took in microseconds, opening included.
    private static func list(_ location: FileStoreLocation) async throws {
        func spent() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1_000
        }
        let start = spent()
        let store = TodoStore(directory: location)
        let todos = try await store.todos().matching(TodoFilter())
        print(todos.count, spent() - start, spent())
    }
}
