/// The random choices of a service: from one seed, the same sequence on every run.
actor Choices {
    private var generator: PortraitGenerator

    init(seed: UInt64) {
        generator = PortraitGenerator(seed: seed)
    }

    /// So many elements, in random order; from a short list some come again.
    func pick<Element: Sendable>(_ count: Int, of list: [Element]) -> [Element] {
        guard !list.isEmpty else { return [] }
        var picked: [Element] = []
        while picked.count < count { picked += list.shuffled(using: &generator).prefix(count - picked.count) }
        return picked
    }
}
