import AccountCore
import AppLanguage
import AppUI
import PictureCore
import Pictures
import RIBs

/// The logic of the picture: shows the last picture, then a new one, or the reason why there is no new one.
@MainActor
final class PictureInteractor: PresentableInteractor<any PicturePresentable>, PicturePresentableListener {
    weak var listener: (any PictureListener)?

    private let service: any PictureServing
    private let sizing: PictureSizing
    private let favourites: any FavouriteStoring
    private let keys: PictureKeys
    private let language: AppLanguage
    /// The picture that is shown; `nil` for the bundled one.
    private var reference: PictureReference?
    private let settings: any SettingsStoring
    private var model = PictureModel()
    /// Whether a new picture has arrived, or could not be fetched.
    private(set) var hasSettled = false
    /// The number of the current load. The result of an earlier one is not shown.
    private var load = 0

    init(presenter: any PicturePresentable, dependency: any PictureDependency) {
        (service, settings) = (dependency.pictureService, dependency.settings)
        sizing = PictureSizing(service: service)
        (favourites, keys) = (dependency.favourites, dependency.pictureKeys)
        language = dependency.appearance.language
        super.init(presenter: presenter)
        presenter.listener = self
        sizing.onEnlargement = { [weak self] in self?.showEnlarged($0) }
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

    /// Fetches another picture, in place of the load under way.
    func reload() { startLoading(withLast: false) }

    func didChangeSize(_ size: PixelSize) {
        sizing.resize(to: size)
        enlarge()
    }

    private func enlarge() {
        if isActive { task { [weak self] in await self?.sizing.enlarge() } }
    }

    private func showEnlarged(_ picture: Picture) {
        guard isActive else { return }
        model.picture = picture
        presenter.show(model)
    }

    func didChooseFavourite() {
        guard let reference else { return notice(PictureText.bundled(keys)) }
        let favourites = favourites
        task { [weak self] in
            do throws(FavouriteError) {
                let isNew = try await favourites.add(reference)
                self?.notice(isNew ? PictureText.saved : PictureText.savedBefore)
            } catch {
                self?.notice(PictureText.notSaved("\(error)"))
            }
        }
    }

    /// Shows a picture that was fetched before, in place of the load under way.
    func show(_ reference: PictureReference) {
        load += 1
        let load = load
        model.isLoading = true
        let service = service
        task { [weak self] in
            await self?.show(load) { () async throws(PictureFailure) in try await service.fetch(reference) }
        }
    }

    private func notice(_ text: LocalizedText) {
        if isActive { listener?.pictureDidNotice(text) }
    }

    /// Fetches a picture of a breed, in place of the load under way.
    func show(breed: String) async -> Bool {
        load += 1
        model.isLoading = true
        if case .noSuchBreed = await showNew(load, breed: breed) { return false }
        return true
    }

    private func startLoading(withLast: Bool) {
        load += 1
        let load = load
        // Set before the task runs: the key can be pressed again before that.
        model.isLoading = true
        task { [weak self] in
            if withLast { await self?.showLast() }
            await self?.showNew(load)
        }
    }

    /// Shows the last picture unless a newer one is shown first. A load in place of the first one may fail.
    private func showLast() async {
        let generation = sizing.generation
        let last = await service.last()
        guard let decoded = try? await sizing.decode(last), isActive, generation == sizing.generation else { return }
        sizing.show(last, decoded)
        model.picture = decoded.picture
        model.caption = PictureText.caption(of: last.reference)(language)
        reference = last.reference
        presenter.show(model)
        enlarge()
    }

    @discardableResult
    private func showNew(_ load: Int, breed wanted: String? = nil) async -> PictureFailure? {
        let (service, settings) = (service, settings)
        return await show(load) { () async throws(PictureFailure) in
            // The profile reports settings that cannot be read; until then, pictures of any breed are shown.
            var breed = wanted
            if breed == nil { breed = (try? await settings.settings())?.favouriteBreed }
            return try await service.fetch(breed: breed)
        }
    }

    /// Fetches a picture and shows it, or the reason why there is none, unless another load has begun.
    @discardableResult
    private func show(
        _ load: Int,
        _ fetch: () async throws(PictureFailure) -> FetchedPicture
    ) async -> PictureFailure? {
        guard load == self.load else { return nil }
        presenter.show(model)
        var shown = model
        var reference = reference
        var result: (FetchedPicture, DecodedPicture)?
        var failure: PictureFailure?
        do throws(PictureFailure) {
            let fetched = try await fetch()
            let decoded = try await sizing.decode(fetched)
            result = (fetched, decoded)
            shown.picture = decoded.picture
            shown.caption = PictureText.caption(of: fetched.reference)(language)
            reference = fetched.reference
            shown.notice = decoded.warnings.first.map { PictureText.warning($0)(language) }
        } catch {
            failure = error
            shown.notice = PictureText.problem(error, keys)(language)
        }
        guard load == self.load else { return failure }
        if let (fetched, decoded) = result {
            sizing.show(fetched, decoded)
        } else {
            // The last picture may have been shown or enlarged since.
            (shown.picture, shown.caption, reference) = (model.picture, model.caption, self.reference)
        }
        shown.isLoading = false
        self.reference = reference
        model = shown
        hasSettled = true
        presenter.show(model)
        enlarge()
        return failure
    }
}

/// The router of the picture, which has no children.
@MainActor
final class PictureRouter: ViewableRouter<PictureInteractor, PictureViewController>, PictureRouting {
    var hasSettled: Bool { interactor.hasSettled }

    func showNext() { interactor.didChooseNext() }

    func reload() { interactor.reload() }

    func show(breed: String) async -> Bool { await interactor.show(breed: breed) }

    func show(_ reference: PictureReference) { interactor.show(reference) }

    func saveFavourite() { interactor.didChooseFavourite() }
}

// MARK: - Protocols

/// The values that the picture's view shows.
struct PictureModel: Hashable, Sendable {
    /// The pixels; `nil` until a picture was decoded.
    var picture: Picture?
    /// The breed.
    var caption = ""
    /// Whether a picture is being fetched.
    var isLoading = false
    /// The reason why the picture is not a new one; `nil` if it is.
    var notice: String?
}

/// The view of the picture, as its interactor uses it.
@MainActor
protocol PicturePresentable: Presentable {
    var listener: (any PicturePresentableListener)? { get set }

    /// Shows the picture.
    func show(_ model: PictureModel)
}

/// The user's actions on the picture.
@MainActor
protocol PicturePresentableListener: AnyObject {
    /// Another picture is to be fetched.
    func didChooseNext()

    /// The view shows another number of pixels.
    func didChangeSize(_ size: PixelSize)
}
