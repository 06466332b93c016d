import Foundation
import NetworkProvider
package import PictureCore
package import Pictures
import Testing

/// Pictures that the test prepares; any other request fails the test.
@MainActor
package final class FakePictureService: PictureServing {
    /// The result of a request.
    package enum Answer {
        case picture(FetchedPicture)
        case failure(PictureFailure)
        /// The request waits for ``FakePictureService/answer(_:)`` or its cancellation.
        case later
    }

    /// The results of the next requests, in their order.
    package var answers: [Answer]
    package var lastPicture: FetchedPicture
    package var breedList: Result<[Breed], PictureFailure> = .success([])
    /// The requested breeds, in order.
    package private(set) var requests: [String?] = []
    /// The picture of every request beyond ``answers``; `nil` if such a request fails the test.
    package var repeated: FetchedPicture?
    /// The pictures of known addresses.
    package var stored: [String: FetchedPicture] = [:]
    /// The addresses that were requested, in order.
    package private(set) var references: [PictureReference] = []
    /// The sizes at which pictures were decoded, in order.
    package private(set) var decodedSizes: [PixelSize?] = []
    /// Called before a picture is decoded.
    package var onDecode: @MainActor () async -> Void = {}
    /// The picture that every decoding gives instead of its own.
    package var decoded: DecodedPicture?
    private var waiting: CheckedContinuation<Result<FetchedPicture, PictureFailure>, Never>?

    package init(last: FetchedPicture = .sample(nil), _ answers: Answer...) {
        lastPicture = last
        self.answers = answers
    }

    deinit {
        if !answers.isEmpty { Issue.record("\(answers.count) prepared pictures were not requested") }
    }

    /// Whether a request waits for its result.
    package var isWaiting: Bool { waiting != nil }

    /// Finishes the request that waits.
    package func answer(_ result: Result<FetchedPicture, PictureFailure>) {
        guard let waiting else {
            Issue.record("no request waits for a result")
            return
        }
        self.waiting = nil
        waiting.resume(returning: result)
    }

    package func fetch(breed: String?) async throws(PictureFailure) -> FetchedPicture {
        requests.append(breed)
        if answers.isEmpty, let repeated { return repeated }
        guard !answers.isEmpty else {
            Issue.record("a picture was asked for that the test knows nothing of")
            throw .noPicture("nothing prepared")
        }
        switch answers.removeFirst() {
        case .picture(let picture): return picture
        case .failure(let failure): throw failure
        case .later: return try await later().get()
        }
    }

    package func fetch(_ reference: PictureReference) async throws(PictureFailure) -> FetchedPicture {
        references.append(reference)
        guard let picture = stored[reference.url] else { throw .offline }
        return picture
    }

    package func last() async -> FetchedPicture { lastPicture }

    package func breeds() async throws(PictureFailure) -> [Breed] { try breedList.get() }

    package func decode(_ picture: FetchedPicture, fitting size: PixelSize?) async throws(PictureFailure)
        -> DecodedPicture
    {
        decodedSizes.append(size)
        await onDecode()
        if let decoded { return decoded }
        do {
            return try PictureDecoder().decode(picture.file, fitting: size)
        } catch {
            throw .picture(error, url: picture.reference?.url ?? "the bundled file")
        }
    }

    private func later() async -> Result<FetchedPicture, PictureFailure> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting = $0 }
        } onCancel: {
            Task { @MainActor [weak self] in
                guard let self, isWaiting else { return }
                answer(.failure(.network(NetworkError(.cancelled, target: "Fake"))))
            }
        }
    }
}

extension FetchedPicture {
    /// A small picture of one colour.
    package static func sample(
        _ breed: String?,
        _ color: PictureColor = PictureColor(200, 120, 40),
        size: PixelSize = PixelSize(width: 40, height: 30)
    ) -> FetchedPicture {
        let picture = Picture(width: size.width, height: size.height, filledWith: color)
        let bytes = (try? PictureEncoder().png(picture)) ?? []
        return FetchedPicture(
            reference: PictureReference(url: "http://pictures.test/1.png", breed: breed),
            file: Data(bytes)
        )
    }
}

extension PictureFailure {
    /// No network at all.
    package static let offline = PictureFailure.network(
        NetworkError(
            .transport(HTTPTransportError(.cannotConnect, detail: "connection refused")),
            target: "RandomDog"
        )
    )
}
