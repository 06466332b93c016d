import LocalProvider

extension CrashWriter {
    /// Adds 1 to a counter in a document, `count` times, and to the list of who did.
    static func documentIncrements(_ location: FileStoreLocation, _ count: Int) throws {
        let provider = LocalProvider(location: location, options: patient)
        let counter = LocalKey("counter", of: [Int].self, in: .propertyList)
        for _ in 0..<count {
            try provider.update(counter, durability: .written) { counts in
                let old = counts ?? [0]
                counts = [old[0] + 1] + old.suffix(20)
            }
        }
    }

    /// Stores a growing document until that fails, with a limit of `limit` bytes for each file; prints the error.
    static func documentUntilFull(_ location: FileStoreLocation, _ limit: Int, _ progress: Progress) throws {
        limitFiles(to: limit)
        let provider = LocalProvider(location: location)
        let document = LocalKey("document", of: [String].self, in: .propertyList)
        for number in 1... {
            do throws(LocalError) {
                try provider.set(document, to: (1...number).map { "\($0) \(filler)" })
            } catch {
                print(error.description)
                return
            }
            progress.acknowledge(number)
        }
    }
}
