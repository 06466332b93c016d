package import TerminalUI

/// Pictures of the gallery for its documentation.
@MainActor
package struct GalleryPictures {
    /// A picture: an example in the gallery at a size.
    package struct Picture: Sendable {
        /// The name of the file.
        package let name: String
        let example: String
        let size: GridSize
    }

    /// The pictures of the landing page: a large, a middle and a small window.
    package static let all: [Picture] = [
        GridSize(width: 100, height: 30), GridSize(width: 60, height: 20), GridSize(width: 40, height: 12),
    ]
    .flatMap { size in
        ["text", "fields"].map { Picture(name: "gallery-\($0)-\(size).svg", example: $0, size: size) }
    }

    /// Returns a picture as an SVG document.
    package static func svg(_ picture: Picture) async -> String {
        await screen(of: GalleryController(picture.example), picture.size).svg()
    }

    /// Returns the screen of a controller at a size.
    package static func screen(of controller: ViewController, _ size: GridSize, theme: Theme = Theme()) async
        -> ScreenBuffer
    {
        let application = OffscreenApplication(root: controller, size: size, theme: theme)
        await application.settle()
        return application.buffer
    }
}
