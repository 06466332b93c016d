import PictureCore
import TodoApp

extension Flavour {
    /// The flavour with the pictures of dog.ceo.
    static let dog = Flavour(
        name: "Dog",
        animal: "dog",
        symbol: "🐶",
        accent: 0xB4631C,
        titleColor: 0xFFF1C9,
        oauthClient: "pawkit-dog",
        pictures: DogPictures(),
        bundledPicture: PackageResources.Picture_jpg
    )
}

/// The pictures of dog.ceo.
struct DogPictures: PictureAPI {
    let address = "https://dog.ceo"

    func randomPicture(
        of breed: String?,
        at address: String,
        through provider: NetworkProvider
    ) async throws(PictureFailure) -> PictureReference {
        let target = RandomDog(
            base: address,
            breed: try breed.map { name throws(PictureFailure) in try Self.breedPath(name) }
        )
        let response: DogResponse<String>
        do {
            response = try await provider.request(target)
        } catch {
            if let breed, error.status == 404 { throw .noSuchBreed(breed) }
            throw .network(error)
        }
        return PictureReference(url: response.message, breed: Self.breedName(inAddress: response.message))
    }

    func breeds(at address: String, through provider: NetworkProvider) async throws(PictureFailure) -> [Breed] {
        let response: DogResponse<[String: [String]]>
        do {
            response = try await provider.request(AllDogBreeds(base: address))
        } catch {
            throw .network(error)
        }
        return response.message.flatMap { breed, subs in
            subs.isEmpty
                ? [Breed(id: breed, name: Self.capitalised(breed))]
                : subs.map { Breed(id: "\(breed)/\($0)", name: Self.capitalised("\($0) \(breed)")) }
        }
        .sorted { $0.name < $1.name }
    }

    // MARK: - Names

    /// Returns the path of a breed in the service's form: lower case, with the sub-breed after a slash.
    ///
    /// Accepts `hound/afghan`, `hound-afghan` and `Afghan hound`. Anything but letters is an error, before a request is
    /// sent.
    static func breedPath(_ name: String) throws(PictureFailure) -> String {
        let lowered = name.lowercased()
        let isPath = lowered.contains { $0 == "/" || $0 == "-" }
        let words = lowered.split { $0 == "/" || $0 == "-" || $0.isWhitespace }
        guard (1...2).contains(words.count), words.allSatisfy({ $0.utf8.allSatisfy(isLetter) }) else {
            throw .noSuchBreed(name)
        }
        return (isPath ? words : words.reversed()).joined(separator: "/")
    }

    /// Returns the breed in the address of a picture: `Afghan hound` for `.../breeds/hound-afghan/n02.jpg`.
    static func breedName(inAddress url: String) -> String? {
        let parts = url.split(separator: "/")
        guard let place = parts.firstIndex(of: "breeds"), place + 1 < parts.count else { return nil }
        let words = parts[place + 1].lowercased().split(separator: "-")
        guard !words.isEmpty, words.allSatisfy({ $0.utf8.allSatisfy(isLetter) }) else { return nil }
        return capitalised(words.reversed().joined(separator: " "))
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}

/// The envelope of every response of dog.ceo.
struct DogResponse<Message: Decodable & Sendable>: Decodable, Sendable {
    /// The address, list or object, depending on the endpoint.
    let message: Message
}

/// The address of a random picture.
struct RandomDog: PictureTarget {
    typealias Response = DogResponse<String>

    let base: String
    /// The breed, such as `hound` or `hound/afghan`; `nil` for any.
    let breed: String?

    /// Each response names another picture.
    var cachePolicy: HTTPCachePolicy { .ignore }

    var path: String { breed.map { "/api/breed/\($0)/images/random" } ?? "/api/breeds/image/random" }
}

/// The list of all breeds and sub-breeds.
struct AllDogBreeds: PictureTarget {
    typealias Response = DogResponse<[String: [String]]>

    let base: String

    var path: String { "/api/breeds/list/all" }
}
