public import PictureCore

/// The differences between the flavours of the app. Everything else is shared.
public struct Flavour: Sendable {
    /// The program's name, such as `Dog`.
    public let name: String
    /// The animal, as in the middle of a sentence, such as `dog`.
    public let animal: String
    /// One character for titles.
    public let symbol: String
    /// The colour of bars and of the selection, as 0xRRGGBB. White text must be readable on it.
    public let accent: UInt32
    /// The colour of the title, as 0xRRGGBB, readable on `accent`.
    public let titleColor: UInt32
    /// The client id of the flavour at outside providers; the environment may name others.
    public let oauthClient: String
    /// The picture API.
    public let pictures: any PictureAPI
    /// A small JPEG or PNG file that is shown while no other picture is available.
    public let bundledPicture: [UInt8]

    /// The flavour's folder in the data directory.
    public var namespace: String { name.lowercased() }

    /// Creates a flavour.
    public init(
        name: String,
        animal: String,
        symbol: String,
        accent: UInt32,
        titleColor: UInt32 = 0xFFF1C9,
        oauthClient: String? = nil,
        pictures: any PictureAPI,
        bundledPicture: [UInt8]
    ) {
        (self.name, self.animal, self.symbol) = (name, animal, symbol)
        (self.accent, self.titleColor) = (accent, titleColor)
        self.oauthClient = oauthClient ?? "pawkit-\(name.lowercased())"
        self.pictures = pictures
        self.bundledPicture = bundledPicture
    }
}
