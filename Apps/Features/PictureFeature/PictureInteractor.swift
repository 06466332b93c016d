package import AccountCore
package import AppUI
package import PictureCore
import Pictures
package import RIBs

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
            let breed = await settings.settings().favouriteBreed
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

/// What the picture's interactor asks of what shows it.
@MainActor
protocol PicturePresentable: Presentable {
    /// Who is told of what the user does.
    var listener: (any PicturePresentableListener)? { get set }

    /// Shows the picture as it is now.
    func show(_ model: PictureModel)
}

/// What a user can do with the picture.
@MainActor
protocol PicturePresentableListener: AnyObject {
    /// Another picture is wanted.
    func didChooseNext()
}

/// What the picture needs of its parent.
@MainActor
package protocol PictureDependency: Dependency {
    /// Where pictures come from.
    var pictureService: any PictureServing { get }
    /// The breed that the user likes best, read anew for each picture.
    var settings: any SettingsStoring { get }
    /// How things look.
    var appearance: Appearance { get }
}

/// The picture's router, as its parent sees it.
@MainActor
package protocol PictureRouting: ViewableRouting {
    /// Fetches another picture.
    func showNext()

    /// Whether a new picture has arrived, or could not be fetched.
    var hasSettled: Bool { get }
}

/// What the picture's pane shows.
struct PictureModel: Hashable, Sendable {
    /// The picture's pixels; `nil` where nothing could be decoded yet.
    var picture: Picture?
    /// What it shows, in words: a breed, or what else is known.
    var caption = ""
    /// Whether another picture is on its way.
    var isLoading = false
    /// Why the picture is not a new one; `nil` where it is.
    var notice: String?
}
