public import PictureCore

/// What makes one flavour of the app differ from another; everything else is shared.
public struct Flavour: Sendable {
    /// The program's name, as it is typed: `Dog`.
    public let name: String
    /// The animal, in the middle of a sentence: `dog`.
    public let animal: String
    /// One character that stands for it in titles.
    public let symbol: String
    /// The colour of bars and of what is selected, as 0xRRGGBB; white letters can be read on it.
    public let accent: UInt32
    /// Where its pictures come from.
    public let pictures: any PictureAPI
    /// A small JPEG or PNG file, shown while no other picture is to be had.
    public let bundledPicture: [UInt8]

    /// The folder under the data directory in which the flavour keeps everything of its own.
    public var namespace: String { name.lowercased() }

    /// Creates a flavour.
    public init(
        name: String,
        animal: String,
        symbol: String,
        accent: UInt32,
        pictures: any PictureAPI,
        bundledPicture: [UInt8]
    ) {
        self.name = name
        self.animal = animal
        self.symbol = symbol
        self.accent = accent
        self.pictures = pictures
        self.bundledPicture = bundledPicture
    }
}
