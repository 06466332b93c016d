extension FileSystem {
    /// Gives a file another name as well, replacing what has it; where there can be no second name, makes a copy.
    ///
    /// - Parameters:
    ///   - path: the file; nothing happens where it is not there.
    ///   - target: the other name.
    /// - Throws: ``LocalError``; then `target` is what it was.
    func duplicate(_ path: String, as target: String) throws(LocalError) {
        let name = target + ".tmp"
        // Renaming between two names of one file does nothing: begin and end without the temporary name.
        try remove(name)
        let isLinked: Void? = try? uninterrupted(path) { () throws(SystemFailure) in try calls.link(path, to: name) }
        if isLinked == nil {
            guard try copy(path, to: name) else { return }
        }
        do {
            try rename(name, to: target)
        } catch {
            _ = try? remove(name)
            throw error
        }
        try remove(name)
    }

    /// Copies a file and brings the copy to the disk; false where it is not there.
    private func copy(_ path: String, to target: String) throws(LocalError) -> Bool {
        guard let bytes = try contents(of: path), let copy = try open(target, .creating) else { return false }
        do {
            try copy.write(bytes, at: 0)
            try copy.synchronise()
        } catch {
            _ = try? remove(target)
            throw error
        }
        return true
    }
}
