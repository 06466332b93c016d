import AccountCore
import AppTestSupport
import AppUI
import NetworkProvider
import PictureCore
import TerminalUI
import TodoCore

@testable import TodoApp

/// Everything the app's tree stands on, of fakes.
@MainActor
final class FakeServices: AppDependency {
    let store: FakeTodoStore
    let pictures: FakePictureService
    let kept: FakeSettings
    let pendingChanges = PendingChanges()
    let manualClock = ManualClock()
    let dataDirectory = "/data/dog"
    let today: @Sendable () -> Day = { .sample }
    let version = "Dog 0.1.0"
    let appearance = Appearance(title: "Dog", animal: "dog", symbol: "🐶", accent: 0xB4631C, isAnimated: false)

    init(todos: [String] = [], pictures: FakePictureService, settings: Settings = Settings()) throws {
        store = try FakeTodoStore(todos)
        self.pictures = pictures
        kept = FakeSettings(settings)
    }

    var clock: any Clock<Duration> { manualClock }
    var todoStore: any TodoStoring { store }
    var pictureService: any PictureServing { pictures }
    var settings: any SettingsStoring { kept }
}

extension Flavour {
    /// A flavour whose service no test reaches.
    static let sample = Flavour(
        name: "Dog",
        animal: "dog",
        symbol: "🐶",
        accent: 0xB4631C,
        pictures: UnreachedPictures(),
        bundledPicture: Array(FetchedPicture.sample(nil).file)
    )
}

/// A service that answers nothing: what asks it is at fault.
struct UnreachedPictures: PictureAPI {
    let address = "https://pictures.test"

    func randomPicture(
        of breed: String?,
        at address: String,
        through provider: NetworkProvider
    ) async throws(PictureFailure) -> PictureReference {
        throw .offline
    }

    func breeds(at address: String, through provider: NetworkProvider) async throws(PictureFailure) -> [Breed] {
        throw .offline
    }
}
