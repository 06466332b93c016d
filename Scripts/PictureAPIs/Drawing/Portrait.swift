public import Pictures

/// A drawn portrait of a dog or a cat, the same for the same seed.
///
/// The background is four plain quarters whose colours are known, so that a test can tell whether a picture arrived
/// whole, upright and in its own colours.
public struct Portrait: Hashable, Sendable {
    /// Who is drawn.
    public enum Animal: String, Hashable, Sendable, CaseIterable {
        /// A dog with hanging ears.
        case dog
        /// A cat with whiskers.
        case cat
    }

    /// Who is drawn.
    public let animal: Animal
    /// The background's quarters: top left, top right, bottom left, bottom right.
    public let corners: [PictureColor]
    let coat: Coat
    let tilt: Float

    /// Chooses a portrait.
    ///
    /// - Parameters:
    ///   - animal: Who is drawn.
    ///   - seed: Any text; coat, eyes, collar and background follow from it.
    public init(_ animal: Animal, seed: String) {
        var generator = PortraitGenerator(text: "\(animal.rawValue)/\(seed)")
        self.animal = animal
        corners = generator.choice(of: Self.backgrounds, or: []).map(PictureColor.init(hex:))
        coat = Coat(animal, using: &generator)
        tilt = Float.random(in: -7...7, using: &generator)
    }

    /// Draws the portrait at a size; sides below 1 count as 1.
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
