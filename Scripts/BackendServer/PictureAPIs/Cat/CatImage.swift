import Pictures

/// A picture of the cat service.
struct CatImage: Hashable, Sendable {
    let id: String
    let breed: CatBreed?
    let format: PictureFormat
    let fullSize: PixelSize

    /// The longest side of each named size; `full` is the size of the picture itself.
    static let longestSides = ["thumb": 150, "small": 250, "med": 400]

    /// Every picture: some of each breed, and some without a breed.
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

    /// The extension of the file.
    var ending: String { format == .png ? "png" : "jpg" }

    /// Returns the size of a name.
    func size(named name: String) -> PixelSize {
        guard let side = Self.longestSides[name] else { return fullSize }
        return fullSize.fitted(into: PixelSize(width: side, height: side), enlarges: false)
    }

    /// Returns the path of the picture at a named size.
    func path(sizeNamed name: String) -> String {
        Self.longestSides[name] == nil ? "/images/\(id).\(ending)" : "/images/\(name)/\(id).\(ending)"
    }

    /// Returns the file at a path, if it exists.
    static func file(at path: String) -> PortraitFile? {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.first == "images", let name = parts.last, parts.count == 2 || parts.count == 3 else { return nil }
        guard let image = all.first(where: { "\($0.id).\($0.ending)" == name }) else { return nil }
        let size = parts.count == 3 ? parts[1] : "full"
        guard parts.count == 2 || longestSides[size] != nil else { return nil }
        return PortraitFile(Portrait(.cat, seed: image.id), size: image.size(named: size), format: image.format)
    }
}

/// A breed as the cat service describes it.
struct CatBreed: Codable, Hashable, Sendable {
    var id: String
    var name: String
    var temperament: String
    var origin: String
    var lifeSpan: String

    private enum CodingKeys: String, CodingKey {
        case id, name, temperament, origin
        case lifeSpan = "life_span"
    }

    static let all: [CatBreed] = [
        ("abys", "Abyssinian", "Active, Energetic, Gentle", "Egypt", "14 - 15"),
        ("beng", "Bengal", "Alert, Agile, Demanding", "United States", "12 - 15"),
        ("birm", "Birman", "Affectionate, Gentle, Social", "France", "14 - 15"),
        ("bsho", "British Shorthair", "Calm, Easy Going, Loyal", "United Kingdom", "12 - 17"),
        ("chau", "Chausie", "Playful, Social, Intelligent", "Egypt", "12 - 14"),
        ("kora", "Korat", "Active, Loyal, Highly intelligent", "Thailand", "10 - 15"),
        ("mcoo", "Maine Coon", "Adaptable, Gentle, Loving", "United States", "12 - 15"),
        ("siam", "Siamese", "Active, Agile, Clever", "Thailand", "12 - 15"),
    ].map { id, name, temperament, origin, lifeSpan in
        CatBreed(id: id, name: name, temperament: temperament, origin: origin, lifeSpan: lifeSpan)
    }
}
