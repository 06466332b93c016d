extension Dictionary where Key == String {
    /// Adds the value of an identifier.
    ///
    /// - Throws: ``LocalError/invalidIdentifier(identifier:detail:)`` where a dictionary cannot tell it from one that is in it:
    ///   they are kept apart by their bytes, and one of them would be lost here without a word.
    mutating func insert(_ value: Value, for identifier: String) throws(LocalError) {
        guard updateValue(value, forKey: identifier) != nil else { return }
        let detail = "another has the same characters in other bytes, and a dictionary holds only one: read each alone"
        throw .invalidIdentifier(identifier: identifier, detail: detail)
    }
}
