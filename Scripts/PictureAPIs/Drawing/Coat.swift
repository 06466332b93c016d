import Pictures

/// The colours of one animal.
struct Coat: Hashable, Sendable {
    /// Most of the fur.
    let fur: PictureColor
    /// Ears, patches and stripes.
    let marking: PictureColor
    /// Muzzle, chest and the line between the eyes.
    let pale: PictureColor
    let eye: PictureColor
    let collar: PictureColor
    /// A patch around one eye (dogs), stripes on the forehead (cats).
    let isMarked: Bool
    /// The tongue out (dogs), eyes half closed in content (cats).
    let isHappy: Bool

    init(_ animal: Portrait.Animal, using generator: inout PortraitGenerator) {
        let coats = animal == .dog ? Self.dogs : Self.cats
        let coat = generator.choice(of: coats, or: coats[0]).map(PictureColor.init(hex:))
        (fur, marking, pale) = (coat[0], coat[1], coat[2])
        let eyes = animal == .dog ? [0x4A2B16, 0x3A2418, 0x5B3A1E] : [0x7CB342, 0xE0A526, 0x4FA3C7, 0x9CCC3C]
        eye = PictureColor(hex: UInt32(generator.choice(of: eyes, or: 0)))
        collar = PictureColor(hex: UInt32(generator.choice(of: [0xD6453D, 0x2F6DB5, 0x2E9E6B, 0x8E4EC6], or: 0)))
        isMarked = UInt8.random(in: 0..<4, using: &generator) > 0
        isHappy = Bool.random(using: &generator)
    }

    private static let dogs: [[UInt32]] = [
        [0xC98A4B, 0x7A4A26, 0xF6E7D0], [0xE3B778, 0xB8793C, 0xFBF1DF], [0x9C6B43, 0x4F3220, 0xEBD9BF],
        [0xF0EAE0, 0x6E5546, 0xFFFFFF], [0x6F6A69, 0x3B3738, 0xE9E4DE],
    ]
    private static let cats: [[UInt32]] = [
        [0xE8964A, 0xB9622A, 0xFCEBD3], [0x8F9196, 0x56595F, 0xF1F1F0], [0xD9C4A3, 0x6B4F3A, 0xF7EEDF],
        [0x4A4750, 0x2B2930, 0xEFEAE6], [0xF3EEE6, 0xD59A5B, 0xFFFFFF],
    ]
}
