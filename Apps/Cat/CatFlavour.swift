import PictureCore
import TodoApp

extension Flavour {
    /// The flavour with the pictures of thecatapi.com.
    static let cat = Flavour(
        name: "Cat",
        animal: "cat",
        symbol: "🐱",
        accent: 0x5B4FC7,
        titleColor: 0xE8E4FF,
        oauthClient: "pawkit-cat",
        pictures: CatPictures(),
        bundledPicture: PackageResources.Picture_jpg
    )
}

/// The pictures of thecatapi.com.
struct CatPictures: PictureAPI {
    let address = "https://api.thecatapi.com"

    func randomPicture(
        of breed: String?,
        at address: String,
        through provider: NetworkProvider
    ) async throws(PictureFailure) -> PictureReference {
        var id: String?
        if let breed { id = try await breedID(breed, at: address, through: provider) }
        let found: [CatPicture]
        do {
            found = try await provider.request(CatSearch(base: address, breed: id))
        } catch {
            throw .network(error)
        }
        // The list is empty if the service has no picture of the breed.
        guard let first = found.first else {
            if let breed { throw .noSuchBreed(breed) }
            throw .noPicture("the list is empty")
        }
        return PictureReference(url: first.url, breed: first.breeds?.first?.name)
    }

    func breeds(at address: String, through provider: NetworkProvider) async throws(PictureFailure) -> [Breed] {
        do {
            return try await provider.request(CatBreeds(base: address))
                .map { Breed(id: $0.id, name: $0.name) }
                .sorted { $0.name < $1.name }
        } catch {
            throw .network(error)
        }
    }

    /// Returns the identifier of a breed. The service accepts only identifiers, and people know names.
    private func breedID(
        _ name: String,
        at address: String,
        through provider: NetworkProvider
    ) async throws(PictureFailure) -> String {
        let wanted = name.lowercased()
        let known = try await breeds(at: address, through: provider)
        guard let breed = known.first(where: { $0.id == wanted || $0.name.lowercased() == wanted }) else {
            throw .noSuchBreed(name)
        }
        return breed.id
    }
}

/// A picture in a response of thecatapi.
struct CatPicture: Decodable, Sendable {
    let id: String
    let url: String
    let breeds: [CatBreed]?
}

/// A breed in a response of thecatapi.
struct CatBreed: Decodable, Sendable {
    let id: String
    let name: String
}

/// The address of a random picture.
struct CatSearch: PictureTarget {
    typealias Response = [CatPicture]

    let base: String
    /// The identifier of the breed, such as `beng`; `nil` for any.
    let breed: String?

    /// Each response names another picture.
    var cachePolicy: HTTPCachePolicy { .ignore }

    var path: String { "/v1/images/search" }

    /// Requests only formats that can be decoded.
    var parameters: QueryParameters {
        var parameters: QueryParameters = ["mime_types": "jpg,png"]
        if let breed { parameters.append("breed_ids", .text(breed)) }
        return parameters
    }
}

/// The list of all breeds.
struct CatBreeds: PictureTarget {
    typealias Response = [CatBreed]

    let base: String

    var path: String { "/v1/breeds" }
}
