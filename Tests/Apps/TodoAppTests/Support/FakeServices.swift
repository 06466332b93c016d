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

/// Fakes of every service of the app.
@MainActor
struct FakeServices {
    let accountFake: FakeAccount
    let store: FakeTodoStore
    let pictures: FakePictureService
    let kept: FakeSettings
    let favouritesFake = FakeFavourites()
    let syncFake = FakeSync()
    let screenStateFake = FakeScreenState()
    let manualClock = ManualClock()
    /// The services, over the fakes.
    let app: AppServices

    init(
        todos: [String] = [],
        pictures: FakePictureService,
        settings: Settings = Settings(),
        account: FakeAccount? = nil,
        language: AppLanguage = .english,
        keyMap: KeyMap = .standard,
        userSettings: UserSettings = UserSettings(dataDirectory: "/data/dog")
    ) throws {
        accountFake = account ?? FakeAccount(branch: .main(nil))
        store = try FakeTodoStore(todos)
        self.pictures = pictures
        kept = FakeSettings(settings)
        var appearance = Appearance.dog(language)
        appearance.dates = userSettings.preferences.dates
        app = AppServices(
            account: accountFake,
            todoStore: store,
            sync: syncFake,
            syncInterval: nil,
            pictureService: pictures,
            favourites: favouritesFake,
            settings: kept,
            screenState: screenStateFake,
            pendingChanges: PendingChanges(),
            clock: manualClock,
            today: { .sample },
            time: { nil },
            openEditor: { _ in 1 },
            templates: TemplateFolder(nil),
            dataDirectory: "/data/dog",
            version: "Dog 0.1.0",
            appearance: appearance,
            keyMap: keyMap,
            userSettings: userSettings,
            themeProblems: []
        )
    }
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

/// A service that no test may use.
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
