import AccountCore
import AppLanguage
import AppUI
import LocalProvider
import NetworkProvider
import PictureCore
import TerminalUI
import TodoCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The services of a running program.
@MainActor
final class AppServices: AppDependency {
    // A command creates only the services that it uses.
    private(set) lazy var account: any AccountServing = Self.account(flavour: flavour, configuration: configuration)
    private(set) lazy var pictureService: any PictureServing = PictureService(
        api: flavour.pictures,
        address: configuration.imageAPI,
        provider: .pictures(
            cacheFolder: cachesResponses ? configuration.location.path + "/http-cache" : nil,
            plugins: Self.picturePlugins(flavour: flavour, configuration: configuration)
        ),
        local: local,
        bundled: flavour.bundledPicture
    )
    let todoStore: any TodoStoring
    let favourites: any FavouriteStoring
    let settings: any SettingsStoring
    let screenState: any ScreenStateStoring
    let pendingChanges = PendingChanges()
    let clock: any Clock<Duration> = ContinuousClock()
    let dataDirectory: String
    let version: String
    let today: @Sendable () -> Day
    let time: @Sendable () -> TimeOfDay?
    let todoClock = TodoClock()
    /// The look of the screen, with the colours of `theme.json`, which is read at the first use.
    private(set) lazy var appearance = Appearance(
        title: flavour.name,
        animal: flavour.animal,
        symbol: flavour.symbol,
        accent: flavour.accent,
        theme: themeFile.theme,
        titleColor: flavour.titleColor,
        isAnimated: configuration.isAnimated,
        language: configuration.language
    )
    var themeProblems: [LocalizedText] { themeFile.problems }
    private lazy var themeFile = ThemeFile(environment, over: Theme(tint: .hex(flavour.accent)))
    /// The keys, read at their first use.
    private(set) lazy var keyMap = KeyMapFile.read(environment)
    private let environment: [String: String]

    private let flavour: Flavour
    private let configuration: Configuration
    private let local: LocalProvider
    private let cachesResponses: Bool

    /// Creates the services of a configuration. Files are opened at their first use.
    ///
    /// - Parameters:
    ///   - flavour: the flavour.
    ///   - configuration: the configuration.
    ///   - cachesResponses: whether responses of the picture service may come from the cache.
    init(flavour: Flavour, configuration: Configuration, cachesResponses: Bool = true) {
        self.flavour = flavour
        self.configuration = configuration
        self.cachesResponses = cachesResponses
        local = LocalProvider(location: configuration.location)
        screenState = LocalScreenState(local: local)
        todoStore = TodoStore(directory: configuration.location, now: { Date() })
        settings = LocalSettings(local: local)
        favourites = LocalFavourites(local: local, now: { Date() })
        dataDirectory = configuration.location.path
        environment = configuration.surroundings.environment
        today = { Day(Date()) }
        time = { Zone.system.local(Date()).time }
        version = "\(flavour.name) \(Program.version)"
    }

    /// The flavour's User-Agent, and the API key of the environment, which is sent to the API alone.
    private static func picturePlugins(flavour: Flavour, configuration: Configuration) -> [any NetworkPlugin] {
        let key = configuration.surroundings.environment["PAWKIT_\(flavour.name.uppercased())_API_KEY"]
        let plugin = APIKeyPlugin(key: key, address: configuration.imageAPI)
        return [PictureAgentPlugin("\(flavour.name)/\(Program.version)")] + (plugin.map { [$0] } ?? [])
    }

    /// The account over the server of `--backend`, or over the embedded one. Nothing is read or sent before its first use.
    private static func account(flavour: Flavour, configuration: Configuration) -> any AccountServing {
        let options = AccountService.Options(
            version: Program.version,
            providers: SignInProviders(flavour: flavour, environment: configuration.surroundings.environment).all,
            userAgent: "\(flavour.name)/\(Program.version)"
        )
        guard let backend = configuration.backend else {
            return AccountService.embedded(
                location: configuration.location,
                keyPath: configuration.accountKeyPath,
                options: options
            )
        }
        return AccountService(
            base: backend,
            location: configuration.location,
            keyPath: configuration.accountKeyPath,
            options: options
        )
    }
}
