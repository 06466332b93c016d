import AccountCore
import AppLanguage
import AppUI
import EssentialFoundation
import LaunchFeature
import LocalProvider
import LoginFeature
import NetworkProvider
import PictureCore
import PictureFeature
import ProfileFeature
import SignUpFeature
import SyncFeature
import TerminalUI
import TodoCore
import TodoFeature
import TodoSync

/// The services of the app: one value, which is created once and passed down to every screen.
///
/// A feature receives the properties that its dependency protocol lists. A new service is a property here, and the compiler
/// then names the places that create the services: the running program below, and the fakes of the tests.
@MainActor
struct AppServices: LaunchDependency, LoginDependency, SignUpDependency, TodoListDependency, PictureDependency,
    ProfileDependency, SyncDependency
{
    /// The account: launch, session, sign-up and profile.
    var account: any AccountServing
    /// The store of the todos.
    var todoStore: any TodoStoring
    /// The sync of the todos.
    var sync: any SyncServing
    /// The time between two syncs; `nil` to sync only at the start, after changes and on request.
    var syncInterval: Duration?
    /// The time between two new pictures; `nil` for a new one only at the start and on request.
    var pictureInterval: Duration?
    /// The source of the pictures.
    var pictureService: any PictureServing
    /// The favourite pictures.
    var favourites: any FavouriteStoring
    /// The store of the settings.
    var settings: any SettingsStoring
    /// The store of the router tree, for a start after a kill.
    var screenState: any ScreenStateStoring
    /// The changes that are not saved yet.
    var pendingChanges: PendingChanges
    /// The clock of delays.
    var clock: any Clock<Duration>
    /// Returns the current day.
    var today: @Sendable () -> Day
    /// Returns the current time of day; `nil` to compare days alone.
    var time: @Sendable () -> TimeOfDay?
    /// Opens a file in the user's editor, which has the terminal until it ends, and returns its exit status.
    var openEditor: @MainActor (_ path: String) async -> Int32
    /// The templates of the user.
    var templates: TemplateFolder
    /// The clock of reminders, and those that were given.
    var reminderClock = TodoClock()
    var reminderLog = ReminderLog()
    /// The name of the view and the order with which the list starts.
    var listDefaults: (view: String?, sort: TodoSort?) = (nil, nil)
    /// The folder of all files.
    var dataDirectory: String
    /// The program's name and version.
    var version: String
    /// The look of the screen.
    var appearance: Appearance
    /// The keys.
    var keyMap: KeyMap
    /// The settings of the user.
    var userSettings: UserSettings
    /// What is wrong with the files of the colours and of the settings.
    var themeProblems: [LocalizedText]

    var pictureKeys: PictureKeys {
        func name(_ action: HomeAction) -> String { keyMap.hint(action.keyAction)?.name ?? "" }
        return PictureKeys(next: name(.picture), favourite: name(.favourite), profile: name(.profile))
    }
}

extension AppServices {
    /// Creates the services of a running program. Nothing is sent, and no store is opened, before its first use.
    init(flavour: Flavour, configuration: Configuration, cachesResponses: Bool = true) {
        let (location, environment) = (configuration.location, configuration.context.environment)
        let local = LocalProvider(location: location)
        let preferences = configuration.preferences
        let theme = ThemeFile(environment, over: preferences.theme(accent: flavour.accent))
        let store = Self.todoStore(configuration)
        let userSettings = UserSettings(
            preferences,
            environment: environment,
            dataDirectory: location.path,
            accent: flavour.accent
        )
        self.init(
            account: Self.account(flavour: flavour, configuration: configuration),
            todoStore: store,
            sync: SyncService(SyncSetup(store, configuration), store: store),
            syncInterval: preferences.syncPause,
            pictureInterval: preferences.picturePause,
            pictureService: PictureService(
                api: flavour.pictures,
                address: configuration.imageAPI,
                provider: .pictures(
                    cacheFolder: cachesResponses ? location.path + "/http-cache" : nil,
                    plugins: Self.picturePlugins(flavour: flavour, configuration: configuration)
                ),
                local: local,
                bundled: flavour.bundledPicture
            ),
            favourites: LocalFavourites(local: local, now: { Date() }),
            settings: LocalSettings(local: local),
            screenState: LocalScreenState(local: local, locks: location.path + "/running.lock"),
            pendingChanges: PendingChanges(),
            clock: ContinuousClock(),
            today: { Day(Date()) },
            time: { Zone.system.local(Date()).time },
            openEditor: { [userSettings] in await userSettings.openEditor?($0) ?? 127 },
            templates: Self.templates(environment),
            listDefaults: (preferences.view, preferences.sort),
            dataDirectory: location.path,
            version: "\(flavour.name) \(Program.version)",
            appearance: Appearance(
                title: flavour.name,
                animal: flavour.animal,
                symbol: flavour.symbol,
                accent: flavour.accent,
                theme: theme.theme,
                titleColor: flavour.titleColor,
                isAnimated: configuration.isAnimated,
                language: configuration.language,
                dates: preferences.dates
            ),
            keyMap: KeyMapFile.read(environment),
            userSettings: userSettings,
            themeProblems: theme.problems + preferences.problems
        )
        let reminders = LocalKey("reminders", of: ReminderLog.Entries.self, in: .defaults)
        // Without the stored ones, a reminder is given again.
        reminderLog = ReminderLog {
            (try? local.read(reminders)) ?? [:]
        } save: {
            try? local.set(reminders, to: $0)
        }
    }

    /// Returns the templates of the user.
    static func templates(_ environment: [String: String]) -> TemplateFolder {
        TemplateFolder(ConfigurationFile.folder(environment).map { "\($0)/templates" })
    }

    /// Returns the store of the todos, whose changes the hooks of the user see.
    static func todoStore(_ configuration: Configuration) -> TodoStore {
        TodoStore(
            directory: configuration.location,
            urgency: configuration.preferences.urgency,
            review: TodoHooks(configuration.context.environment),
            now: { Date() }
        )
    }

    /// The flavour's User-Agent, and the API key of the environment, which is sent to the API alone.
    private static func picturePlugins(flavour: Flavour, configuration: Configuration) -> [any NetworkPlugin] {
        let key = configuration.context.environment["PAWKIT_\(flavour.name.uppercased())_API_KEY"]
        let plugin = APIKeyPlugin(key: key, address: configuration.imageAPI)
        return [PictureAgentPlugin("\(flavour.name)/\(Program.version)")] + (plugin.map { [$0] } ?? [])
    }

    /// Returns the account over the server of `--backend`, or over the embedded one.
    private static func account(flavour: Flavour, configuration: Configuration) -> any AccountServing {
        let options = AccountService.Options(
            version: Program.version,
            providers: SignInProviders(flavour: flavour, environment: configuration.context.environment).all,
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

extension TodoStore {
    /// What this process has removed from the end of the journal. No copy remains, and nothing distinguishes an interrupted
    /// write from a file that was cut off.
    nonisolated var removedEnds: [String] {
        recoveries.filter { $0.setAside == nil }.map {
            "\($0) If something has cut off the file, todos may be missing: compare them with a backup"
        }
    }
}
