import PictureCore

/// thecatapi.com's pictures.
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
        // Without a picture of the breed the service answers with an empty list.
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

    /// The service takes breeds by id alone, and people know them by name.
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
