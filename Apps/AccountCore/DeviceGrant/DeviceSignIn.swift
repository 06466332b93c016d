package import EssentialFoundation

/// A step of the sign-in with an outside provider (the OAuth 2.0 device authorization grant, RFC 8628).
package enum DeviceSignIn: Equatable, Sendable {
    /// The provider is asked for a code.
    case requesting
    /// The user has to open the address on any device and enter the code. `problem` is set while the provider cannot be
    /// reached; the attempts continue until the code expires.
    case waiting(DeviceCode, problem: AccountError?)
    /// The user has approved, and is signed in. The last step.
    case finished(Profile)
    /// The user has refused. The last step.
    case denied
    /// The code has expired; a new sign-in needs a new one. The last step.
    case expired
    /// The sign-in failed. The last step.
    case failed(AccountError)
}

/// A code that the user enters at the provider.
package struct DeviceCode: Hashable, Sendable {
    /// The code as the provider shows it, such as `WDJB-MJHT`.
    package let userCode: String
    /// The address to open.
    package let address: String
    /// The address with the code in it, for a QR code; `nil` if the provider has none.
    package let completeAddress: String?
    /// When the code expires.
    package let expires: Date

    /// Creates a code.
    package init(userCode: String, address: String, completeAddress: String?, expires: Date) {
        (self.userCode, self.address) = (userCode, address)
        (self.completeAddress, self.expires) = (completeAddress, expires)
    }
}
