import AccountCore
import AppUI
import PictureCore
import Pictures
import RIBs

/// The logic of the picture: shows the last picture, then a new one, or the reason why there is no new one.
@MainActor
final class PictureInteractor: PresentableInteractor<any PicturePresentable>, PicturePresentableListener {
    /// The size that pictures are reduced to while they are decoded. No terminal has more dots.
    private static let largest = PixelSize(width: 640, height: 640)

    private let service: any PictureServing
    private let settings: any SettingsStoring
    private var model = PictureModel()
    /// Whether a new picture has arrived, or could not be fetched.
    private(set) var hasSettled = false
    /// The number of the current load. The result of an earlier one is not shown.
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

    private func startLoading(withLast: Bool) {
        load += 1
        let load = load
        // Set before the task runs: the key can be pressed again before that.
        model.isLoading = true
        task { [weak self] in
            if withLast { await self?.showLast(load) }
            await self?.showNew(load)
        }
    }

    private func showLast(_ load: Int) async {
        let last = await service.last()
        guard let decoded = try? await service.decode(last, fitting: Self.largest), load == self.load else { return }
        model.picture = decoded.picture
        model.caption = last.reference?.breed ?? ""
        presenter.show(model)
    }

    private func showNew(_ load: Int) async {
        guard load == self.load else { return }
        presenter.show(model)
        var shown = model
        do throws(PictureFailure) {
            // The profile reports settings that cannot be read; pictures of any breed are shown meanwhile.
            let breed = (try? await settings.settings())?.favouriteBreed
            let fetched = try await service.fetch(breed: breed)
            let decoded = try await service.decode(fetched, fitting: Self.largest)
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

/// The router of the picture, which has no children.
@MainActor
final class PictureRouter: ViewableRouter<PictureInteractor, PictureViewController>, PictureRouting {
    var hasSettled: Bool { interactor.hasSettled }

    func showNext() {
        interactor.didChooseNext()
    }
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
}
