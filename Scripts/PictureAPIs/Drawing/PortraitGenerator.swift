/// A reproducible source of choices (SplitMix64).
struct PortraitGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Begins from a text: the same text gives the same choices on every run.
    init(text: String) {
        state = Self.hash(text)
    }

    /// A number that follows from a text alone (FNV-1a), unlike `hashValue`.
    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// One of a list that is not empty.
    mutating func choice<Element>(of list: [Element], or fallback: Element) -> Element {
        list.randomElement(using: &self) ?? fallback
    }
}
