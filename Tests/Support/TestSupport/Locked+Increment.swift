public import Threading

extension Locked where Value == Int {
    /// Adds one to the number, and returns the result.
    public func increment() -> Int {
        withLock { number in
            number += 1
            return number
        }
    }
}
