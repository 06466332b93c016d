import Pictures

/// The breeds of the dog service, with their sub-breeds, and the pictures of each.
enum DogBreeds {
    /// Sub-breeds by breed; most have none.
    static let all: [String: [String]] = [
        "affenpinscher": [], "akita": [], "beagle": [], "borzoi": [], "boxer": [],
        "bulldog": ["boston", "english", "french"], "chihuahua": [], "corgi": ["cardigan"], "dachshund": [],
        "dalmatian": [], "hound": ["afghan", "basset", "blood", "english"], "husky": [], "labrador": [], "pug": [],
        "poodle": ["medium", "miniature", "standard", "toy"], "retriever": ["chesapeake", "curly", "golden"],
        "samoyed": [], "sheepdog": ["english", "shetland"], "shiba": [],
        "terrier": ["border", "fox", "scottish", "yorkshire"],
    ]

    /// A breed's folders of pictures: `hound-afghan`, `hound-basset`, or just `pug`.
    static func folders(of breed: String, _ sub: String? = nil) -> [String] {
        guard let subs = all[breed] else { return [] }
        if let sub { return subs.contains(sub) ? ["\(breed)-\(sub)"] : [] }
        return subs.isEmpty ? [breed] : subs.map { "\(breed)-\($0)" }
    }

    /// The paths of a folder's pictures.
    static func paths(of folder: String) -> [String] {
        let number = 2_085_000 + PortraitGenerator.hash(folder) % 30_000
        return (0..<4).map { "/breeds/\(folder)/n0\(number)_\(1003 + $0 * 271).jpg" }
    }

    /// All pictures of all breeds, in a fixed order.
    static let everyPath: [String] = all.keys.sorted().flatMap { folders(of: $0) }.flatMap { paths(of: $0) }

    /// The file that is served under a path, or `nil` if there is none.
    static func file(at path: String) -> PortraitFile? {
        guard everyPath.contains(path) else { return nil }
        let size = PortraitFile.sizes[Int(PortraitGenerator.hash(path) % UInt64(PortraitFile.sizes.count))]
        return PortraitFile(Portrait(.dog, seed: path), size: size, format: .jpeg)
    }
}
