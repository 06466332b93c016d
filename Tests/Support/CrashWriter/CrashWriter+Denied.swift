import LocalProvider
import SystemCalls

extension CrashWriter {
    /// Reads and sets a value in each store on disk as a user who owns nothing, and prints what came of it.
    static func denied(_ location: FileStoreLocation) throws {
        // The superuser may do everything.
        if geteuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 { throw Wrong(["setuid"]) }
        let provider = LocalProvider(location: location)
        func tell(_ what: String, _ body: () throws -> Int) {
            do {
                print(what, try body())
            } catch LocalError.notPermitted(let path, _) {
                print(what, "not permitted", path.hasPrefix(location.path))
            } catch {
                print(what, error)
            }
        }
        for kind in [LocalStoreKind.defaults, .propertyList] {
            let key = LocalKey("a", in: kind, default: -1)
            tell("\(kind) read") { try provider.read(key) }
            tell("\(kind) set") {
                try provider.set(key, to: 2)
                return 2
            }
        }
    }
}
