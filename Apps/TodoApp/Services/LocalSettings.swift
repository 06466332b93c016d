import LocalProvider

/// The settings, kept beside the todos.
struct LocalSettings: SettingsStoring {
    private static let key = LocalKey("settings", in: .defaults, default: Settings())

    let local: LocalProvider

    func settings() async -> Settings {
        // Unreadable settings must not keep anybody from their todos; `doctor` tells of them.
        (try? local.read(Self.key)) ?? Settings()
    }

    func save(_ settings: Settings) async throws(LocalError) {
        try local.set(Self.key, to: settings)
    }
}
