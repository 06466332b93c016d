import PictureCore
import Pictures

/// Decodes a picture at the size of the view that shows it, and again when the view needs more pixels.
@MainActor
final class PictureSizing {
    /// The size before the view is laid out: little, since the right size follows.
    private static let initial = PixelSize(width: 160, height: 160)
    /// No terminal shows more pixels.
    private static let largest = 4096

    /// Called with the larger pixels of the shown picture.
    var onEnlargement: ((Picture) -> Void)?

    private let service: any PictureServing
    /// The number of pixels that the view shows; zero before it is laid out.
    private var viewSize = PixelSize(width: 0, height: 0)
    private var shown: (source: FetchedPicture, decoded: DecodedPicture)?
    /// The number of the shown picture. The result for an earlier one is not used.
    private(set) var generation = 0
    private var isDecoding = false

    init(service: any PictureServing) { self.service = service }

    /// Decodes a picture at the size of the view, outside of the main actor.
    func decode(_ picture: FetchedPicture) async throws(PictureFailure) -> DecodedPicture {
        try await service.decode(picture, fitting: box)
    }

    /// Sets the picture that the view shows.
    func show(_ source: FetchedPicture, _ decoded: DecodedPicture) {
        generation += 1
        shown = (source, decoded)
    }

    /// Sets the number of pixels that the view shows.
    func resize(to size: PixelSize) { viewSize = size }

    /// Decodes the shown picture again while the view needs more pixels than there are. It never makes a picture smaller, and
    /// decodes one size at a time, however often the view changes.
    func enlarge() async {
        guard !isDecoding else { return }
        isDecoding = true
        defer { isDecoding = false }
        while let shown, needsMore(shown.decoded), !Task.isCancelled {
            let current = generation
            let larger = try? await service.decode(shown.source, fitting: box)
            guard !Task.isCancelled else { return }
            guard current == generation else { continue }
            // The file was decoded before; without a larger picture the smaller one remains.
            guard let larger,
                larger.picture.width > shown.decoded.picture.width
                    || larger.picture.height > shown.decoded.picture.height
            else { return }
            self.shown = (shown.source, larger)
            onEnlargement?(larger.picture)
        }
    }

    private var box: PixelSize {
        guard viewSize.width > 0, viewSize.height > 0 else { return Self.initial }
        return PixelSize(width: min(viewSize.width, Self.largest), height: min(viewSize.height, Self.largest))
    }

    private func needsMore(_ decoded: DecodedPicture) -> Bool {
        let wanted = decoded.originalSize.fitted(into: box, enlarges: false)
        return viewSize.width > 0 && viewSize.height > 0
            && (wanted.width > decoded.picture.width || wanted.height > decoded.picture.height)
    }
}
