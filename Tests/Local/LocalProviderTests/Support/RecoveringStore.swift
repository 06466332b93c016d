@testable import LocalProvider

/// A store that reports the damage that it finds.
protocol RecoveringStore: LocalStore {
    var recoveries: [LocalRecovery] { get }
}

extension JSONDefaults: RecoveringStore {}
extension PropertyListStore: RecoveringStore {}
