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
        CatBreed(
            id: "abys",
            name: "Abyssinian",
            temperament: "Active, Energetic, Gentle",
            origin: "Egypt",
            lifeSpan: "14 - 15"
        ),
        CatBreed(
            id: "beng",
            name: "Bengal",
            temperament: "Alert, Agile, Demanding",
            origin: "United States",
            lifeSpan: "12 - 15"
        ),
        CatBreed(
            id: "birm",
            name: "Birman",
            temperament: "Affectionate, Gentle, Social",
            origin: "France",
            lifeSpan: "14 - 15"
        ),
        CatBreed(
            id: "bsho",
            name: "British Shorthair",
            temperament: "Calm, Easy Going, Loyal",
            origin: "United Kingdom",
            lifeSpan: "12 - 17"
        ),
        CatBreed(
            id: "chau",
            name: "Chausie",
            temperament: "Playful, Social, Intelligent",
            origin: "Egypt",
            lifeSpan: "12 - 14"
        ),
        CatBreed(
            id: "kora",
            name: "Korat",
            temperament: "Active, Loyal, Highly intelligent",
            origin: "Thailand",
            lifeSpan: "10 - 15"
        ),
        CatBreed(
            id: "mcoo",
            name: "Maine Coon",
            temperament: "Adaptable, Gentle, Loving",
            origin: "United States",
            lifeSpan: "12 - 15"
        ),
        CatBreed(
            id: "siam",
            name: "Siamese",
            temperament: "Active, Agile, Clever",
            origin: "Thailand",
            lifeSpan: "12 - 15"
        ),
    ]
}
