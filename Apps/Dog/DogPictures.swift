import PictureCore

/// dog.ceo's pictures.
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
        let answer: DogAnswer<String>
        do {
            answer = try await provider.request(target)
        } catch {
            if let breed, error.status == 404 { throw .noSuchBreed(breed) }
            throw .network(error)
        }
        return PictureReference(url: answer.message, breed: Self.breedName(inAddress: answer.message))
    }

    func breeds(at address: String, through provider: NetworkProvider) async throws(PictureFailure) -> [Breed] {
        let answer: DogAnswer<[String: [String]]>
        do {
            answer = try await provider.request(AllDogBreeds(base: address))
        } catch {
            throw .network(error)
        }
        return answer.message.flatMap { breed, subs in
            subs.isEmpty
                ? [Breed(id: breed, name: Self.capitalised(breed))]
                : subs.map { Breed(id: "\(breed)/\($0)", name: Self.capitalised("\($0) \(breed)")) }
        }
        .sorted { $0.name < $1.name }
    }

    // MARK: - Names

    /// The path of a breed as the service wants it: lower case, the sub-breed behind a slash.
    ///
    /// `hound/afghan`, `hound-afghan` and `Afghan hound` are one; anything but letters is refused before it is sent.
    static func breedPath(_ name: String) throws(PictureFailure) -> String {
        let lowered = name.lowercased()
        let isPath = lowered.contains { $0 == "/" || $0 == "-" }
        let words = lowered.split { $0 == "/" || $0 == "-" || $0.isWhitespace }
        guard (1...2).contains(words.count), words.allSatisfy({ $0.utf8.allSatisfy(isLetter) }) else {
            throw .noSuchBreed(name)
        }
        return (isPath ? words : words.reversed()).joined(separator: "/")
    }

    /// The breed that a picture's address tells: `.../breeds/hound-afghan/n02.jpg` shows an Afghan hound.
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
