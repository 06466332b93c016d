public import EssentialFoundation
import HTTPCaching
package import LocalProvider
package import NetworkProvider
public import Pictures

/// The source of the pictures.
public protocol PictureServing: Sendable {
    /// Fetches a new picture, checks that it can be decoded, and stores it as the last one.
    ///
    /// - Parameter breed: the breed; `nil` for any.
    /// - Returns: the picture.
    /// - Throws: ``PictureFailure``; the last picture is unchanged.
    func fetch(breed: String?) async throws(PictureFailure) -> FetchedPicture

    /// Fetches the picture of an address, from the cache if it was fetched before, and stores it as the last one.
    ///
    /// - Throws: ``PictureFailure``; the last picture is unchanged.
    func fetch(_ reference: PictureReference) async throws(PictureFailure) -> FetchedPicture

    /// Returns the last picture, or the bundled one if no picture was fetched yet or the file cannot be read.
    func last() async -> FetchedPicture

    /// Returns the breeds.
    ///
    /// - Throws: ``PictureFailure``.
    func breeds() async throws(PictureFailure) -> [Breed]

    /// Decodes a picture.
    ///
    /// - Parameters:
    ///   - picture: the picture.
    ///   - size: the maximum size in pixels; `nil` for the picture's own size.
    /// - Returns: the pixels and the decoder's warnings.
    /// - Throws: ``PictureFailure``.
    func decode(_ picture: FetchedPicture, fitting size: PixelSize?) async throws(PictureFailure) -> DecodedPicture
}

/// A picture file with its address.
public struct FetchedPicture: Codable, Hashable, Sendable {
    /// The address; `nil` for the bundled picture.
    public let reference: PictureReference?
    /// The JPEG or PNG file.
    public let file: Data

    /// Creates a picture.
    public init(reference: PictureReference?, file: Data) { (self.reference, self.file) = (reference, file) }
}

/// Pictures from a flavour's API. The last one is stored on the disk.
package struct PictureService: PictureServing {
    private static let lastKey = LocalKey("last-picture", of: FetchedPicture.self, in: .propertyList)

    private let api: any PictureAPI
    private let address: String
    private let provider: NetworkProvider
    private let local: LocalProvider
    private let bundled: [UInt8]
    private let decoder = PictureDecoder()

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - api: the API of the flavour.
    ///   - address: the base URL of the API, without a slash at the end.
    ///   - provider: sends the requests; see ``NetworkProvider/pictures(cacheFolder:)``.
    ///   - local: stores the last picture.
    ///   - bundled: the JPEG or PNG file that is returned before any other was fetched.
    package init(
        api: any PictureAPI,
        address: String,
        provider: NetworkProvider,
        local: LocalProvider,
        bundled: [UInt8]
    ) {
        (self.api, self.address, self.provider) = (api, address, provider)
        (self.local, self.bundled) = (local, bundled)
    }

    package func fetch(breed: String?) async throws(PictureFailure) -> FetchedPicture {
        let picture: FetchedPicture
        do {
            picture = try await fetchOnce(breed: breed)
        } catch .network(let error) where error.status == 404 {
            // The services sometimes return the address of a deleted file. Another address usually works.
            picture = try await fetchOnce(breed: breed)
        }
        return stored(picture)
    }

    package func fetch(_ reference: PictureReference) async throws(PictureFailure) -> FetchedPicture {
        stored(try await checkedFile(of: reference))
    }

    /// Stores a picture as the last one.
    private func stored(_ picture: FetchedPicture) -> FetchedPicture {
        // A picture that cannot be stored can still be shown.
        try? local.set(Self.lastKey, to: picture)
        return picture
    }

    package func last() async -> FetchedPicture {
        let stored = try? local.read(Self.lastKey)
        return stored ?? FetchedPicture(reference: nil, file: Data(bundled))
    }

    package func breeds() async throws(PictureFailure) -> [Breed] {
        try await decoded { () async throws(PictureFailure) in try await api.breeds(at: address, through: provider) }
    }

    @concurrent
    package func decode(
        _ picture: FetchedPicture,
        fitting size: PixelSize?
    ) async throws(PictureFailure) -> DecodedPicture {
        do {
            return try decoder.decode(picture.file, fitting: size)
        } catch {
            throw .picture(error, url: picture.reference?.url ?? "the bundled file")
        }
    }

    private func fetchOnce(breed: String?) async throws(PictureFailure) -> FetchedPicture {
        let reference = try await decoded { () async throws(PictureFailure) in
            try await api.randomPicture(of: breed, at: address, through: provider)
        }
        return try await checkedFile(of: reference)
    }

    /// Returns the picture of an address if it can be decoded. What cannot be, or is a part, such as a page of the network
    /// that came instead of a picture once, is requested again: it would stay in the cache for good. A whole picture that is
    /// too large or of an unsupported kind is not.
    private func checkedFile(of reference: PictureReference) async throws(PictureFailure) -> FetchedPicture {
        let size = PixelSize(width: 8, height: 8)
        let picture = try await file(of: reference)
        let isPart: Bool
        do throws(PictureFailure) {
            isPart = try await decode(picture, fitting: size).isTruncated
            if !isPart { return picture }
        } catch {
            guard case .picture(let reason, _) = error, reason.mayBeDamagedInTransfer else { throw error }
            isPart = false
        }
        do throws(PictureFailure) {
            let whole = try await reloading { () async throws(PictureFailure) in try await file(of: reference) }
            _ = try await decode(whole, fitting: size)
            return whole
        } catch {
            if isPart { return picture }
            throw error
        }
    }

    /// Returns the value of a request, which is sent once more if the response cannot be decoded.
    private func decoded<Value: Sendable>(
        _ request: () async throws(PictureFailure) -> Value
    ) async throws(PictureFailure) -> Value {
        do {
            return try await request()
        } catch .network(let error) where error.isDecodingFailure {
            return try await reloading(request)
        }
    }

    private func reloading<Value: Sendable>(
        _ request: () async throws(PictureFailure) -> Value
    ) async throws(PictureFailure) -> Value {
        let result = await Reloading.$isActive.withValue(true) { () async -> Result<Value, PictureFailure> in
            do throws(PictureFailure) {
                return .success(try await request())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func file(of reference: PictureReference) async throws(PictureFailure) -> FetchedPicture {
        do {
            return FetchedPicture(reference: reference, file: try await provider.request(PictureFile(reference)))
        } catch {
            throw .network(error)
        }
    }
}

/// The file of a picture.
private struct PictureFile: PictureTarget {
    let base: String
    let path = ""

    /// The file of an address does not change, so that it is fetched once.
    var cachePolicy: HTTPCachePolicy { Reloading.isActive ? .reload : .preferCached }

    init(_ reference: PictureReference) { base = reference.url }
}

extension NetworkError {
    /// Whether there was a response that is not what the target names.
    fileprivate var isDecodingFailure: Bool {
        if case .decoding = reason { true } else { false }
    }
}

extension PictureError {
    /// Whether another download may succeed: the data is not a whole picture.
    fileprivate var mayBeDamagedInTransfer: Bool {
        switch self {
        case .empty, .markup, .unknownFormat, .truncated, .damaged: true
        case .tooManyBytes, .tooLarge, .tooMuchMemory, .tooManyScans, .noPixels, .unsupported, .tooSlow, .outOfMemory:
            false
        }
    }
}

extension DecodedPicture {
    /// Whether a part of the picture is missing.
    fileprivate var isTruncated: Bool {
        warnings.contains { if case .truncated = $0 { true } else { false } }
    }
}

extension NetworkProvider {
    /// Creates the provider for pictures and lists of breeds: with a cache on the disk, and with retries that end soon.
    ///
    /// - Parameters:
    ///   - cacheFolder: the folder of the cache; `nil` for no cache.
    ///   - plugins: further plugins, such as an ``APIKeyPlugin``.
    /// - Returns: the provider.
    package static func pictures(cacheFolder: String?, plugins: [any NetworkPlugin] = []) -> NetworkProvider {
        var options = HTTPCache.Options()
        // A list of breeds from last week is better than none.
        options.staleIfError = .seconds(7 * 86_400)
        return NetworkProvider(
            plugins: plugins + [
                RetryPlugin(
                    RetryPolicy(
                        maximumAttempts: 3,
                        maximumDelay: .seconds(2),
                        maximumRetryAfter: .seconds(5),
                        maximumTime: .seconds(30)
                    )
                )
            ],
            cache: cacheFolder.map {
                HTTPCache(store: HTTPDiskCacheStore(path: $0, byteLimit: 64 << 20), options: options)
            }
        )
    }
}
