import TestSupport

@testable import LocalProvider

extension JSONDefaults {
    /// The store of `/data/defaults.journal` on a simulated disk.
    convenience init(on calls: any FileCalls) {
        let location = FileStoreLocation(directory: "/data")
        self.init(location: location, name: "defaults", options: .init(), system: FileSystem(calls))
    }
}

extension PropertyListStore {
    /// The store in a folder, with files of a format.
    convenience init(in folder: TemporaryDirectory, _ format: PropertyListFormat) {
        var options = Options()
        options.format = format
        self.init(location: FileStoreLocation(directory: folder.path), options: options)
    }
}
