public import LocalProvider

/// The settings of the user.
public struct Settings: Codable, Hashable, Sendable {
    /// The user's name; `nil` if unknown.
    public var name: String?
    /// The breed of the pictures; `nil` for any.
    public var favouriteBreed: String?

    /// Creates settings; without arguments, those of a new user.
    public init(name: String? = nil, favouriteBreed: String? = nil) {
        (self.name, self.favouriteBreed) = (name, favouriteBreed)
    }
}

/// A store of the settings.
public protocol SettingsStoring: Sendable {
    /// Reads the settings; those of a new user if none were saved.
    ///
    /// - Throws: ``LocalError`` if they cannot be read. Saving then replaces them.
    func settings() async throws(LocalError) -> Settings

    /// Saves the settings.
    ///
    /// - Throws: ``LocalError``; the saved settings are unchanged.
    func save(_ settings: Settings) async throws(LocalError)

    /// Describes everything that is missing from the settings, or may be; usually empty.
    func damage() async -> [String]
}

/// The settings in the defaults store of a provider.
package struct LocalSettings: SettingsStoring {
    private static let key = "settings"
    /// The key under which settings that could not be decoded are preserved when they are replaced.
    package static let unreadableKey = "settings.unreadable"

    @Stored private var stored: Settings

    /// Creates settings in a provider's defaults store.
    package init(local: LocalProvider) {
        _stored = Stored(wrappedValue: Settings(), Self.key, in: .defaults, of: local)
    }

    package func settings() async throws(LocalError) -> Settings { try $stored.read() }

    package func save(_ settings: Settings) async throws(LocalError) {
        do throws(LocalError) {
            _ = try $stored.read()
        } catch .undecodable {
            let local = $stored.provider
            if let value = try local.value(of: LocalKey(Self.key, of: JSONValue.self, in: .defaults)) {
                try local.set(LocalKey(Self.unreadableKey, of: JSONValue.self, in: .defaults), to: value)
            }
        }
        try $stored.set(settings)
    }

    package func damage() async -> [String] {
        var damage: [String] = []
        do { _ = try await settings() } catch { damage.append("the settings cannot be read: \(error)") }
        let path = $stored.provider.defaults.path
        if let copy = $stored.provider.defaults.damagedCopy {
            damage.insert(
                "\(path) was damaged: settings may be missing. The damaged file is saved as \(copy); check your "
                    + "profile, then delete it to dismiss this message",
                at: 0
            )
        }
        if $stored.provider.defaults.unrepairedDamage != nil {
            damage.insert(
                "\(path) is damaged: settings may be missing. It cannot be repaired, because it cannot be written: make "
                    + "the file and its folder writable, or free some space, and start again",
                at: 0
            )
        }
        return damage
    }
}
