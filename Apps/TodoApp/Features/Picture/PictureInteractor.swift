import Pictures
import RIBs

/// Shows the last picture, fetches a new one, and says why where there is none.
@MainActor
final class PictureInteractor: PresentableInteractor<any PicturePresentable>, PicturePresentableListener {
    private let service: any PictureServing
    private let settings: any SettingsStoring
    private var model = PictureModel()
    /// Whether a new picture has come, or has failed to.
    private(set) var hasSettled = false
    /// Counts the loads; one that is no longer the latest shows nothing.
    private var load = 0

    init(presenter: any PicturePresentable, service: any PictureServing, settings: any SettingsStoring) {
        self.service = service
        self.settings = settings
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        startLoading(withLast: true)
    }

    override func willResignActive() {
        super.willResignActive()
        load += 1
        model.isLoading = false
    }

    func didChooseNext() {
        guard !model.isLoading else { return }
        startLoading(withLast: false)
    }

    // MARK: - Actions, the same for the screen and for scripts

    /// Fetches a new picture.
    func fetch(breed: String?) async throws(PictureFailure) -> FetchedPicture {
        try await service.fetch(breed: breed)
    }

    /// Lists the breeds.
    func breeds() async throws(PictureFailure) -> [Breed] {
        try await service.breeds()
    }

    /// Decodes a picture.
    func decode(_ picture: FetchedPicture, fitting size: PixelSize?) async throws(PictureFailure) -> DecodedPicture {
        try await service.decode(picture, fitting: size)
    }

    /// The picture to show while there is no new one.
    func last() async -> FetchedPicture {
        await service.last()
    }

    // MARK: - The screen

    /// No terminal has more dots than this across; larger pictures are reduced while they are decoded.
    private static let largest = PixelSize(width: 640, height: 640)

    private func startLoading(withLast: Bool) {
        load += 1
        let load = load
        // Set before the task runs: a second wish may come in the same turn.
        model.isLoading = true
        task { [weak self] in
            if withLast { await self?.showLast(load) }
            await self?.showNew(load)
        }
    }

    private func showLast(_ load: Int) async {
        let last = await last()
        guard let decoded = try? await decode(last, fitting: Self.largest), load == self.load else { return }
        model.picture = decoded.picture
        model.caption = last.reference?.breed ?? ""
        presenter.show(model)
    }

    private func showNew(_ load: Int) async {
        guard load == self.load else { return }
        presenter.show(model)
        var shown = model
        do throws(PictureFailure) {
            let breed = await settings.settings().favouriteBreed
            let fetched = try await fetch(breed: breed)
            let decoded = try await decode(fetched, fitting: Self.largest)
            shown.picture = decoded.picture
            shown.caption = fetched.reference?.breed ?? ""
            shown.notice = decoded.warnings.first.map { "\($0)" }
        } catch {
            shown.notice = error.summary
        }
        guard load == self.load else { return }
        shown.isLoading = false
        model = shown
        hasSettled = true
        presenter.show(model)
    }
}
