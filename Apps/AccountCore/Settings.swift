public import LocalProvider

/// The settings, kept beside the todos.
package struct LocalSettings: SettingsStoring {
    private static let key = LocalKey("settings", in: .defaults, default: Settings())

    let local: LocalProvider

    /// Creates settings in a provider's defaults store.
    package init(local: LocalProvider) {
        self.local = local
    }

    package func settings() async -> Settings {
        // Unreadable settings must not keep anybody from their todos; `doctor` tells of them.
        (try? local.read(Self.key)) ?? Settings()
    }

    package func save(_ settings: Settings) async throws(LocalError) {
        try local.set(Self.key, to: settings)
    }
}

/// What a user has set.
public struct Settings: Codable, Hashable, Sendable {
    /// What the user wants to be called; `nil` where nobody said.
    public var name: String?
    /// The breed of the pictures; `nil` for any.
    public var favouriteBreed: String?

    /// Creates settings; without arguments, those of a new user.
    public init(name: String? = nil, favouriteBreed: String? = nil) {
        self.name = name
        self.favouriteBreed = favouriteBreed
    }
}

/// Where the settings are kept.
public protocol SettingsStoring: Sendable {
    /// The settings; those of a new user where there are none, or where they cannot be read.
    func settings() async -> Settings

    /// Keeps the settings.
    ///
    /// - Throws: ``LocalError``, with the settings left as they were.
    func save(_ settings: Settings) async throws(LocalError)
}
