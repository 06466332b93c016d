package import LocalSecrets

/// The limits and the costs of the account backend.
package struct BackendPolicy: Sendable {
    /// The oldest version of the app that the backend accepts.
    package var requiredVersion = "0.1.0"
    /// How to update, for people.
    package var updateInstructions = "Pull the repository and run Scripts/run again."
    /// The cost of the hash of a password.
    package var passwordCost = PasswordHash.Cost.interactive
    /// The cost of the hash of a verification code, which is valid for minutes only.
    package var codeCost = PasswordHash.Cost.minimum
    /// How many hashes are computed at the same time: each needs the memory of its cost.
    package var concurrentHashes = 2
    /// How many requests wait for a hash before further ones are refused with status 503.
    package var waitingHashes = 256

    /// The failed attempts before the first wait of an address, and before the first challenge of an id.
    package var freeAttempts = 5
    /// The bits of the first challenge; each further failure adds one.
    package var firstChallenge = 14
    /// The bits of the hardest challenge.
    package var hardestChallenge = 20
    /// The first wait in seconds; it doubles with each further failure.
    package var firstWait = 30
    /// The longest wait in seconds.
    package var longestWait = 3_600

    /// How long a verification code is valid, in seconds.
    package var codeLifetime = 600
    /// How often a code may be wrong.
    package var codeTries = 3
    /// The seconds between two codes for a number.
    package var codeResendInterval = 30
    /// The number of codes for a number in an hour.
    package var codesPerHour = 5
    /// The number of codes for an address in a minute.
    package var codesPerMinuteAndAddress = 20
    /// How long a verified number can be used for a sign-up, in seconds.
    package var verificationLifetime = 1_800
    /// How many ids may be taken in one sign-up before the number has to be verified again.
    package var takenIDs = 5

    /// The lifetime of an access token in seconds.
    package var accessLifetime = 900
    /// The lifetime of an unused refresh token in seconds.
    package var refreshLifetime = 30 * 86_400
    /// The lifetime of a session in seconds, however often its tokens are refreshed.
    package var sessionLifetime = 180 * 86_400
    /// How long the id of a withdrawn account is reserved, in seconds.
    package var reservation = 30 * 86_400

    /// The maximum size of the body of a request in bytes.
    package var maximumBody = 16 << 10

    /// Creates the default policy.
    package init() {}
}
