public import LocalProvider

/// Where the settings are kept.
public protocol SettingsStoring: Sendable {
    /// The settings; those of a new user where there are none, or where they cannot be read.
    func settings() async -> Settings

    /// Keeps the settings.
    ///
    /// - Throws: ``LocalError``, with the settings left as they were.
    func save(_ settings: Settings) async throws(LocalError)
}
