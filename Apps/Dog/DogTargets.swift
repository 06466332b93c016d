import PictureCore

/// What dog.ceo wraps every answer in.
struct DogAnswer<Message: Decodable & Sendable>: Decodable, Sendable {
    /// An address, a list or an object, by endpoint.
    let message: Message
}

/// A picture at random, of any breed or of one.
struct RandomDog: PictureTarget {
    typealias Response = DogAnswer<String>

    let base: String
    /// `hound` or `hound/afghan`; `nil` for any.
    let breed: String?

    var path: String {
        breed.map { "/api/breed/\($0)/images/random" } ?? "/api/breeds/image/random"
    }
}

/// All breeds with their sub-breeds.
struct AllDogBreeds: PictureTarget {
    typealias Response = DogAnswer<[String: [String]]>

    let base: String

    var path: String { "/api/breeds/list/all" }
}
