import LocalProvider
import NetworkProvider
import Pictures

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Pictures from a flavour's API, the last of them kept.
struct PictureService: PictureServing {
    private static let lastKey = LocalKey("last-picture", of: FetchedPicture.self, in: .propertyList)

    let api: any PictureAPI
    /// Where the API is.
    let address: String
    let provider: NetworkProvider
    /// Keeps the last picture.
    let local: LocalProvider
    /// The file to show where there is no last picture.
    let bundled: [UInt8]

    private let decoder = PictureDecoder()

    init(api: any PictureAPI, address: String, provider: NetworkProvider, local: LocalProvider, bundled: [UInt8]) {
        self.api = api
        self.address = address
        self.provider = provider
        self.local = local
        self.bundled = bundled
    }

    func fetch(breed: String?) async throws(PictureFailure) -> FetchedPicture {
        let picture: FetchedPicture
        do {
            picture = try await fetchOnce(breed: breed)
        } catch .network(let error) where error.status == 404 {
            // The services sometimes name a file that is gone: ask again, once.
            picture = try await fetchOnce(breed: breed)
        }
        _ = try await decode(picture, fitting: PixelSize(width: 8, height: 8))
        // A picture that cannot be kept can still be shown.
        try? local.set(Self.lastKey, to: picture)
        return picture
    }

    func last() async -> FetchedPicture {
        let kept = try? local.read(Self.lastKey)
        return kept ?? FetchedPicture(reference: nil, file: Data(bundled))
    }

    func breeds() async throws(PictureFailure) -> [Breed] {
        try await api.breeds(at: address, through: provider)
    }

    @concurrent
    func decode(_ picture: FetchedPicture, fitting size: PixelSize?) async throws(PictureFailure) -> DecodedPicture {
        do {
            return try decoder.decode(picture.file, fitting: size)
        } catch {
            throw .picture(error, url: picture.reference?.url ?? "the bundled file")
        }
    }

    private func fetchOnce(breed: String?) async throws(PictureFailure) -> FetchedPicture {
        let reference = try await api.randomPicture(of: breed, at: address, through: provider)
        do {
            return FetchedPicture(reference: reference, file: try await provider.request(PictureFile(reference)))
        } catch {
            throw .network(error)
        }
    }
}
