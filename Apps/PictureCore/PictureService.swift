package import LocalProvider
package import NetworkProvider
public import Pictures

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Pictures from a flavour's API, the last of them kept.
package struct PictureService: PictureServing {
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

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - api: the API that names pictures.
    ///   - address: the API's base URL, without a slash at the end.
    ///   - provider: sends the requests.
    ///   - local: stores the last picture.
    ///   - bundled: the JPEG or PNG file to show while no picture was ever fetched.
    package init(
        api: any PictureAPI,
        address: String,
        provider: NetworkProvider,
        local: LocalProvider,
        bundled: [UInt8]
    ) {
        self.api = api
        self.address = address
        self.provider = provider
        self.local = local
        self.bundled = bundled
    }

    package func fetch(breed: String?) async throws(PictureFailure) -> FetchedPicture {
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

    package func last() async -> FetchedPicture {
        let kept = try? local.read(Self.lastKey)
        return kept ?? FetchedPicture(reference: nil, file: Data(bundled))
    }

    package func breeds() async throws(PictureFailure) -> [Breed] {
        try await api.breeds(at: address, through: provider)
    }

    @concurrent
    package func decode(_ picture: FetchedPicture, fitting size: PixelSize?) async throws(PictureFailure)
        -> DecodedPicture
    {
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

/// Where the picture feature gets its pictures.
public protocol PictureServing: Sendable {
    /// Fetches a new picture, checks that it can be shown, and keeps it as the last one.
    ///
    /// - Parameter breed: only pictures of this breed; `nil` for any.
    /// - Returns: the picture.
    /// - Throws: ``PictureFailure``; the last picture stays what it was.
    func fetch(breed: String?) async throws(PictureFailure) -> FetchedPicture

    /// The picture that was fetched last, or the bundled one where there was none yet or it cannot be read.
    func last() async -> FetchedPicture

    /// The breeds that can be asked for.
    ///
    /// - Throws: ``PictureFailure``.
    func breeds() async throws(PictureFailure) -> [Breed]

    /// Decodes a picture's file.
    ///
    /// - Parameters:
    ///   - picture: the picture.
    ///   - size: the pixels it will fill at most; `nil` for its own size.
    /// - Returns: its pixels and what was amiss with the file.
    /// - Throws: ``PictureFailure``.
    func decode(_ picture: FetchedPicture, fitting size: PixelSize?) async throws(PictureFailure) -> DecodedPicture
}

/// A picture with where it came from, as the file that the service sent.
public struct FetchedPicture: Codable, Hashable, Sendable {
    /// The service's name for it; `nil` for the bundled picture.
    public let reference: PictureReference?
    /// The JPEG or PNG file.
    public let file: Data

    /// Creates a picture.
    public init(reference: PictureReference?, file: Data) {
        self.reference = reference
        self.file = file
    }
}

/// The file behind a picture's address.
struct PictureFile: PictureTarget {
    let base: String
    let path = ""

    /// Fetches what a service named.
    init(_ reference: PictureReference) {
        base = reference.url
    }
}
