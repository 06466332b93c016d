import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import NetworkProvider
import PictureCore
import RIBs
import TerminalTesting
import TerminalUI
import TodoCore

@testable import TodoApp

/// Everything the app's tree stands on, of fakes.
@MainActor
final class FakeServices: AppDependency {
    let accountFake: FakeAccount
    let store: FakeTodoStore
    let pictures: FakePictureService
    let kept: FakeSettings
    let favouritesFake = FakeFavourites()
    let screenStateFake = FakeScreenState()
    let pendingChanges = PendingChanges()
    let manualClock = ManualClock()
    let dataDirectory = "/data/dog"
    let today: @Sendable () -> Day = { .sample }
    let version = "Dog 0.1.0"
    let appearance: Appearance
    let keyMap: KeyMap

    init(
        todos: [String] = [],
        pictures: FakePictureService,
        settings: Settings = Settings(),
        account: FakeAccount? = nil,
        language: AppLanguage = .english,
        keyMap: KeyMap = .standard
    ) throws {
        self.keyMap = keyMap
        accountFake = account ?? FakeAccount(branch: .main(nil))
        appearance = Appearance(
            title: "Dog",
            animal: "dog",
            symbol: "🐶",
            accent: 0xB4631C,
            isAnimated: false,
            language: language
        )
        store = try FakeTodoStore(todos)
        self.pictures = pictures
        kept = FakeSettings(settings)
    }

    var clock: any Clock<Duration> { manualClock }
    var favourites: any FavouriteStoring { favouritesFake }
    var screenState: any ScreenStateStoring { screenStateFake }
    var account: any AccountServing { accountFake }
    var todoStore: any TodoStoring { store }
    var pictureService: any PictureServing { pictures }
    var settings: any SettingsStoring { kept }
}

/// The state of the screen in memory.
@MainActor
final class FakeScreenState: ScreenStateStoring {
    private(set) var stored: RouterSnapshot?
    private(set) var saves = 0

    func load() async -> RouterSnapshot? { stored }

    func save(_ snapshot: RouterSnapshot) async {
        saves += 1
        stored = snapshot
    }

    func remove() async { stored = nil }

    /// Stores the state of an earlier process.
    func keep(_ snapshot: RouterSnapshot?) { stored = snapshot }
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
