extension PropertyListStore {
    /// Every change from now on, by whomever, as a stream of its own for each call.
    public func changes() -> AsyncStream<LocalChange> {
        let stream = hub.stream()
        monitor.locked {
            guard watcher == nil else { return }
            try? system.makeFolders(path)
            // Watch first, then look: nothing falls between.
            watcher = FolderWatcher(path) { [weak self] names in self?.notice(names) }
            for name in (try? fileNames()) ?? [] { known[name] = try? system.status(of: path + "/" + name) }
        }
        return stream
    }

    /// Tells the listeners what others have changed.
    func notice(_ names: Set<String>?) {
        monitor.lock()
        defer { monitor.unlock() }
        let candidates = names ?? Set((try? fileNames()) ?? []).union(known.keys)
        for name in candidates where name.hasSuffix(Self.suffix) {
            let status = try? system.status(of: path + "/" + name)
            // One whose identifier cannot be read now is told when it can.
            guard status != known[name], let identifier = (try? identifier(ofFile: name)) ?? nil else { continue }
            known[name] = status
            tell(identifier, status == nil ? .removed : .set, .anotherProcess)
        }
    }

    func tell(_ identifier: String, _ kind: LocalChange.Kind, _ origin: LocalChange.Origin) {
        hub.send([LocalChange(store: .propertyList, identifier: identifier, kind: kind, origin: origin)])
    }

    /// Notes a change of this store's own, and tells of it.
    func changed(_ identifier: LocalIdentifier, _ path: String, _ kind: LocalChange.Kind) {
        guard isWatching else { return }
        let name = FileSystem.name(of: path)
        known[name] = kind == .removed ? nil : try? system.status(of: path)
        tell(identifier.text, kind, .thisProcess)
    }
}
