import Checksums
public import Pictures

/// A portrait of a dog or a cat; the same for the same seed.
///
/// The background has four plain quarters of known colours, so that a test can check that a picture is complete, upright
/// and in its original colours.
public struct Portrait: Hashable, Sendable {
    /// The animal of a portrait.
    public enum Animal: String, Hashable, Sendable, CaseIterable {
        /// A dog with hanging ears.
        case dog
        /// A cat with whiskers.
        case cat
    }

    /// The animal.
    public let animal: Animal
    /// The colours of the background: top left, top right, bottom left, bottom right.
    public let corners: [PictureColor]
    let coat: Coat
    let tilt: Float

    /// Creates a portrait.
    ///
    /// - Parameters:
    ///   - animal: the animal.
    ///   - seed: any text, from which the coat, eyes, collar and background are chosen.
    public init(_ animal: Animal, seed: String) {
        var generator = PortraitGenerator(text: "\(animal.rawValue)/\(seed)")
        self.animal = animal
        corners = generator.choice(of: Self.backgrounds, or: []).map(PictureColor.init(hex:))
        coat = Coat(animal, using: &generator)
        tilt = Float.random(in: -7...7, using: &generator)
    }

    /// Returns the portrait drawn at a size; sides below 1 count as 1.
    public func picture(_ size: PixelSize) -> Picture {
        var canvas = Canvas(on: background(size), tilt: tilt)
        switch animal {
        case .dog: canvas.paintDog(coat)
        case .cat: canvas.paintCat(coat)
        }
        return canvas.picture ?? background(size)
    }

    private func background(_ size: PixelSize) -> Picture {
        var picture = Picture(width: size.width, height: size.height, filledWith: .white)
        guard corners.count == 4 else { return picture }
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                picture[x, y] = corners[(y * 2 < picture.height ? 0 : 2) + (x * 2 < picture.width ? 0 : 1)]
            }
        }
        return picture
    }

    private static let backgrounds: [[UInt32]] = [
        [0x7FC8E8, 0xF7C873, 0xF29E8E, 0x8FD3A6],
        [0xF6A6B8, 0x8EC9C2, 0xF5D76E, 0x9DB4E8],
        [0x9AD0B0, 0xE8B4D8, 0x86B8E6, 0xF4B183],
        [0xF9C784, 0x8FB8DE, 0xA5D6A7, 0xE79AA8],
    ]
}

/// A portrait as a file of a size and format.
public struct PortraitFile: Hashable, Sendable {
    /// The portrait.
    public let portrait: Portrait
    /// The size in pixels.
    public let size: PixelSize
    /// PNG, or JPEG for every other format.
    public let format: PictureFormat

    /// The sizes of the services' pictures.
    static let sizes = [
        PixelSize(width: 400, height: 300), PixelSize(width: 480, height: 360), PixelSize(width: 360, height: 480),
        PixelSize(width: 420, height: 420), PixelSize(width: 500, height: 333),
    ]

    /// Creates a description of a file; the portrait is drawn later.
    public init(_ portrait: Portrait, size: PixelSize, format: PictureFormat) {
        (self.portrait, self.size, self.format) = (portrait, size, format)
    }

    /// The portrait, not encoded.
    public var picture: Picture { portrait.picture(size) }

    /// Returns the drawn and encoded portrait.
    ///
    /// - Parameter quality: the quality of a JPEG, 1...100.
    /// - Returns: the bytes of the file.
    /// - Throws: `PictureEncodingError` if the size exceeds the maximum of the format.
    public func encoded(quality: Int = 88) throws(PictureEncodingError) -> [UInt8] {
        format == .png ? try PictureEncoder().png(picture) : try PictureEncoder().jpeg(picture, quality: quality)
    }
}

/// The colours of one animal.
struct Coat: Hashable, Sendable {
    /// The colour of most of the fur.
    let fur: PictureColor
    /// The colour of ears, patches and stripes.
    let marking: PictureColor
    /// The colour of the muzzle, the chest and the line between the eyes.
    let pale: PictureColor
    let eye: PictureColor
    let collar: PictureColor
    /// Whether there is a patch around one eye (dogs) or there are stripes on the forehead (cats).
    let isMarked: Bool
    /// Whether the tongue is out (dogs) or the pupils are wide (cats).
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

/// The random choices of a portrait.
struct PortraitGenerator: RandomNumberGenerator {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Creates a generator from a text; the same text results in the same numbers on every run.
    init(text: String) { self.init(seed: Self.hash(text)) }

    /// Returns the FNV-1a hash of a text, which is the same on every run, unlike `hashValue`.
    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    mutating func next() -> UInt64 { generator.next() }

    /// Returns an element of a list, or `fallback` if it is empty.
    mutating func choice<Element>(of list: [Element], or fallback: Element) -> Element {
        list.randomElement(using: &self) ?? fallback
    }
}
