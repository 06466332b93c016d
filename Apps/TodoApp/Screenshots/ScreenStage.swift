import RIBs

/// A screen that the `screenshot` command can write: where the launch leads, what is open there, and further keys.
///
/// A screen of a new feature requires one row in ``all``.
struct ScreenStage: Sendable {
    /// Where the launch leads.
    enum Launch: Sendable {
        /// The splash screen, while the version is being checked.
        case checkingVersion
        /// The splash screen, after the server has required a newer version.
        case outdated
        /// The tutorial.
        case tutorial
        /// The start screen.
        case start
        /// The details of the sign-up, after the telephone number was verified.
        case nickname
        /// The main screen, with the session of this machine.
        case main
        /// The main screen of a user who is signed in.
        case account
    }

    /// The value of `--screen`.
    let name: String
    let launch: Launch
    /// The names of the open nodes below the root, from the outermost one inwards.
    let place: [String]
    /// The state of the last node of the place.
    let state: [String: String]
    /// The keys that are pressed then, with "\n" for Enter and "\t" for Tab.
    let keys: String
    /// Whether the screen is that of an outside provider, which has to respond first.
    let waitsForProvider: Bool

    init(
        _ name: String,
        _ launch: Launch = .main,
        place: [String] = [],
        state: [String: String] = [:],
        keys: String = "",
        waitsForProvider: Bool = false
    ) {
        (self.name, self.launch, self.place, self.state) = (name, launch, place, state)
        (self.keys, self.waitsForProvider) = (keys, waitsForProvider)
    }

    /// The stage without `--screen`.
    static let list = ScreenStage("list")

    /// Every stage, in the order of the way through the app.
    static let all: [ScreenStage] = [
        ScreenStage("splash", .checkingVersion),
        ScreenStage("update", .outdated),
        ScreenStage("tutorial", .tutorial),
        ScreenStage("tutorial-2", .tutorial, keys: "n"),
        ScreenStage("tutorial-3", .tutorial, keys: "nn"),
        ScreenStage("start", .start),
        ScreenStage("login", .start, place: ["loggedOut", "login"]),
        ScreenStage("signup", .start, place: ["signUp"]),
        ScreenStage("code", .start, place: ["signUp"], state: ["phone": "010-1234-5678", "step": "code"]),
        ScreenStage("details", .nickname),
        ScreenStage("device", .start, keys: "1", waitsForProvider: true),
        list,
        ScreenStage("detail", keys: "\n"),
        ScreenStage("calendar", keys: "t"),
        ScreenStage("groups", keys: "b2"),
        ScreenStage("menu", keys: "m"),
        ScreenStage("settings", keys: ","),
        ScreenStage("keys", keys: "?"),
        ScreenStage("commands", keys: ":"),
        ScreenStage("change-keys", keys: ":change keys\n"),
        ScreenStage("profile", place: ["home", "profile"]),
        ScreenStage("account", .account, place: ["home", "profile", "account"]),
        ScreenStage("sync", place: ["home", "sync"]),
        ScreenStage("favourites", place: ["home", "favourites"]),
    ]

    /// The names, with commas between them.
    static let names = all.map(\.name).joined(separator: ", ")

    /// Returns the stage of a name.
    static func named(_ name: String) -> ScreenStage? { all.first { $0.name == name } }

    /// The place as a stored state; `nil` for the place of the launch.
    var snapshot: RouterSnapshot? {
        guard let last = place.last else { return nil }
        let node = place.dropLast().reversed().reduce(RouterSnapshot(id: last, state: state)) {
            RouterSnapshot(id: $1, children: [$0])
        }
        return RouterSnapshot(id: "root", children: [node])
    }
}
