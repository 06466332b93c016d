import AppLanguage
import AppUI
import LocalProvider
import PictureCore
import Pictures
import RIBs

/// The logic of the favourites: shows the list and the picture of the selected one, and removes favourites.
@MainActor
final class FavouritesInteractor: PresentableInteractor<any FavouritesPresentable>, FavouritesPresentableListener {
    weak var listener: (any FavouritesListener)?

    private let favourites: any FavouriteStoring
    private let service: any PictureServing
    private let sizing: PictureSizing
    private var model = FavouritesModel()
    private var loading: Task<Void, Never>?
    /// The address to select once the favourites were read.
    private var addressToRestore: String?

    init(presenter: any FavouritesPresentable, favourites: any FavouriteStoring, service: any PictureServing) {
        self.favourites = favourites
        self.service = service
        sizing = PictureSizing(service: service)
        super.init(presenter: presenter)
        presenter.listener = self
        sizing.onEnlargement = { [weak self] in self?.showEnlarged($0) }
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        task { [weak self] in await self?.read() }
    }

    /// The address of the selected picture, for a start after a kill.
    var selectedAddress: String? { addressToRestore ?? model.selected?.picture.url }

    /// Selects the picture of an address as soon as the favourites are there, if it is still among them.
    func restoreSelection(of address: String) {
        addressToRestore = address
        selectRestored()
    }

    private func selectRestored() {
        guard model.isLoaded, let address = addressToRestore else { return }
        addressToRestore = nil
        if let favourite = model.favourites.first(where: { $0.picture.url == address }) { presenter.select(favourite) }
    }

    func didSelect(_ favourite: Favourite) {
        guard favourite.picture.url != model.selected?.picture.url else { return }
        load(favourite)
    }

    func didChooseRetry() {
        if model.hasFailed, let selected = model.selected { load(selected) }
    }

    private func load(_ favourite: Favourite) {
        model.selected = favourite
        model.preview = nil
        model.hasFailed = false
        // The list without the removed favourite selects another one.
        if model.message != PictureText.removed { model.message = PictureText.loading }
        presenter.show(model)
        loading?.cancel()
        let (service, sizing) = (service, sizing)
        loading = task { [weak self] in
            do throws(PictureFailure) {
                let picture = try await service.fetch(favourite.picture)
                let decoded = try await sizing.decode(picture)
                self?.show(decoded, from: picture, of: favourite)
            } catch {
                self?.show(error, of: favourite)
            }
        }
    }

    func didChoose(_ favourite: Favourite) { listener?.favouritesDidChoose(favourite.picture) }

    func didRemove(_ favourite: Favourite) {
        let favourites = favourites
        task { [weak self] in
            do throws(FavouriteError) {
                _ = try await favourites.remove(url: favourite.picture.url)
                await self?.read(then: PictureText.removed)
            } catch {
                self?.report(PictureText.notSaved("\(error)"))
            }
        }
    }

    func didClose() { listener?.favouritesDidClose() }

    private func read(then message: LocalizedText? = nil) async {
        do throws(LocalError) {
            model.favourites = try await favourites.favourites()
            model.message = message
        } catch {
            model.message = PictureText.notSaved("\(error)")
        }
        guard isActive else { return }
        model.isLoaded = true
        if let selected = model.selected, !model.favourites.contains(selected) {
            model.selected = nil
            model.preview = nil
        }
        presenter.show(model)
        selectRestored()
    }

    private func show(_ decoded: DecodedPicture, from source: FetchedPicture, of favourite: Favourite) {
        guard isActive, favourite == model.selected else { return }
        sizing.show(source, decoded)
        model.preview = decoded.picture
        model.message = nil
        presenter.show(model)
        enlarge()
    }

    func didChangeSize(_ size: PixelSize) {
        sizing.resize(to: size)
        enlarge()
    }

    private func enlarge() {
        if isActive { task { [weak self] in await self?.sizing.enlarge() } }
    }

    private func showEnlarged(_ picture: Picture) {
        guard isActive, model.preview != nil else { return }
        model.preview = picture
        presenter.show(model)
    }

    private func show(_ error: PictureFailure, of favourite: Favourite) {
        guard isActive, favourite == model.selected else { return }
        model.hasFailed = true
        report(PictureText.notShown(error))
    }

    private func report(_ text: LocalizedText) {
        guard isActive else { return }
        model.message = text
        presenter.show(model)
    }
}

/// The values that the favourites show.
struct FavouritesModel: Hashable, Sendable {
    /// The favourites, the newest first.
    var favourites: [Favourite] = []
    /// Whether they were read.
    var isLoaded = false
    /// The selected one.
    var selected: Favourite?
    /// The picture of the selected one, once it is there.
    var preview: Picture?
    /// Whether the picture of the selected one could not be fetched, so that it can be requested again.
    var hasFailed = false
    /// What the user should know.
    var message: LocalizedText?
}

/// The screen of the favourites, as its interactor uses it.
@MainActor
protocol FavouritesPresentable: Presentable {
    var listener: (any FavouritesPresentableListener)? { get set }

    /// Shows the list and the preview.
    func show(_ model: FavouritesModel)

    /// Selects a favourite of the list.
    func select(_ favourite: Favourite)
}

/// The user's actions on the favourites.
@MainActor
protocol FavouritesPresentableListener: AnyObject {
    /// A favourite was selected, and its picture is to be shown.
    func didSelect(_ favourite: Favourite)

    /// The preview shows another number of pixels.
    func didChangeSize(_ size: PixelSize)

    /// A favourite is to be shown beside the todos.
    func didChoose(_ favourite: Favourite)

    /// The picture that could not be fetched is to be requested again.
    func didChooseRetry()

    /// A favourite is to be removed.
    func didRemove(_ favourite: Favourite)

    /// The screen is to be closed.
    func didClose()
}
