@testable import LocalProvider

/// A store that tells what it has found damaged.
protocol RecoveringStore: LocalStore {
    var recoveries: [LocalRecovery] { get }
}

extension JSONDefaults: RecoveringStore {}
extension PropertyListStore: RecoveringStore {}
