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

    init(presenter: any PicturePresentable, service: any PictureServing, settings: any SettingsStoring) {
        self.service = service
        self.settings = settings
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        task { [weak self] in
            await self?.showLast()
            await self?.showNew()
        }
    }

    func didChooseNext() {
        guard !model.isLoading else { return }
        task { [weak self] in await self?.showNew() }
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

    private func showLast() async {
        let last = await last()
        guard isActive, let decoded = try? await decode(last, fitting: Self.largest) else { return }
        model.picture = decoded.picture
        model.caption = last.reference?.breed ?? ""
        presenter.show(model)
    }

    private func showNew() async {
        model.isLoading = true
        presenter.show(model)
        do throws(PictureFailure) {
            let breed = await settings.settings().favouriteBreed
            let fetched = try await fetch(breed: breed)
            let decoded = try await decode(fetched, fitting: Self.largest)
            model.picture = decoded.picture
            model.caption = fetched.reference?.breed ?? ""
            model.notice = decoded.warnings.first.map { "\($0)" }
        } catch {
            model.notice = error.summary
        }
        model.isLoading = false
        hasSettled = true
        if isActive { presenter.show(model) }
    }
}
