import LocalProvider
import RIBs

/// Stores where the user was, so that the screen and its drafts are restored after the process was killed.
protocol ScreenStateStoring: Sendable {
    /// Returns the stored state; `nil` if there is none, or if it cannot be read.
    func load() async -> RouterSnapshot?

    /// Stores a state. A state that cannot be stored is lost silently: it is a convenience, not data of the user.
    func save(_ snapshot: RouterSnapshot) async

    /// Removes the stored state, when the user quits.
    func remove() async
}

/// The state in a file of the app's folder. It contains the texts of drafts, never a password or a code.
///
/// An actor, so that a removal follows the saves that were requested before it.
actor LocalScreenState: ScreenStateStoring {
    private static let key = LocalKey("screen", of: RouterSnapshot.self, in: .propertyList)

    private let local: LocalProvider

    /// Creates a store over a provider.
    init(local: LocalProvider) {
        self.local = local
    }

    func load() -> RouterSnapshot? {
        try? local.read(Self.key)
    }

    func save(_ snapshot: RouterSnapshot) {
        _ = try? local.set(Self.key, to: snapshot)
    }

    func remove() {
        _ = try? local.delete(Self.key)
    }
}
