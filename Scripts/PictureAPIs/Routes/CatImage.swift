import Pictures

/// A picture of the cat service.
struct CatImage: Hashable, Sendable {
    let id: String
    let breed: CatBreed?
    let format: PictureFormat
    let fullSize: PixelSize

    /// The longest side of each named size; `full` is the picture's own.
    static let longestSides = ["thumb": 150, "small": 250, "med": 400]

    /// Every picture: some of each breed, and some of no breed anyone knows.
    static let all: [CatImage] = (0..<40).map { index in
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        var generator = PortraitGenerator(text: "cat \(index)")
        let id = String((0..<9).map { _ in generator.choice(of: alphabet, or: "a") })
        let breeds = CatBreed.all
        return CatImage(
            id: id,
            breed: index % 5 == 4 ? nil : breeds[index % breeds.count],
            format: index % 3 == 2 ? .png : .jpeg,
            fullSize: generator.choice(of: PortraitFile.sizes, or: PortraitFile.sizes[0])
        )
    }

    /// The file's ending.
    var ending: String { format == .png ? "png" : "jpg" }

    /// The size under a size's name.
    func size(named name: String) -> PixelSize {
        guard let side = Self.longestSides[name] else { return fullSize }
        return fullSize.fitted(into: PixelSize(width: side, height: side), enlarges: false)
    }

    /// The path it is served under at a named size.
    func path(sizeNamed name: String) -> String {
        Self.longestSides[name] == nil ? "/images/\(id).\(ending)" : "/images/\(name)/\(id).\(ending)"
    }

    /// The file that is served under a path, or `nil` if there is none.
    static func file(at path: String) -> PortraitFile? {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.first == "images", let name = parts.last, parts.count == 2 || parts.count == 3 else { return nil }
        guard let image = all.first(where: { "\($0.id).\($0.ending)" == name }) else { return nil }
        let size = parts.count == 3 ? parts[1] : "full"
        guard parts.count == 2 || longestSides[size] != nil else { return nil }
        return PortraitFile(Portrait(.cat, seed: image.id), size: image.size(named: size), format: image.format)
    }
}
