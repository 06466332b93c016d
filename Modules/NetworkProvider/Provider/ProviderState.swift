import Locking

/// What a provider and its copies have in common.
final class ProviderState: Sendable {
    /// The exchanges that several requests may share.
    let flights = RequestFlights<RequestFlightKey, SharedAnswer>()
    /// Names of header fields that carry credentials, in lower case.
    let credentialNames: Set<String>
    private let last = Locked<UInt64>(0)

    init(credentialNames: Set<String>) { self.credentialNames = credentialNames }

    /// A number for the next request, from 1.
    func nextNumber() -> UInt64 {
        last.withLock { number in
            number += 1
            return number
        }
    }
}
