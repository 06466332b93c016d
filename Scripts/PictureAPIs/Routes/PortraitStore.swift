import Pictures

/// Encoded portraits by the path they are served under, each drawn once.
actor PortraitStore {
    private var files: [String: [UInt8]] = [:]
    private var order: [String] = []
    private let capacity = 64

    /// The bytes of a file; drawn on the first request for its path.
    func bytes(of file: PortraitFile, path: String) -> [UInt8]? {
        if let known = files[path] { return known }
        guard let bytes = try? file.encoded() else { return nil }
        if order.count >= capacity { files[order.removeFirst()] = nil }
        files[path] = bytes
        order.append(path)
        return bytes
    }
}
