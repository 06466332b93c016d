import NeedleKit
import Pictures
import TerminalUI

extension GalleryExample {
    /// A picture in pixels, where the terminal has graphics, and in each drawing style side by side.
    static let pictures = GalleryExample("pictures", "Pictures") {
        PicturesExampleController()
    }
}

private final class PicturesExampleController: ViewController {
    override func viewDidLoad() {
        let picture = PicturesExampleController.picture(PixelSize(width: 160, height: 120))
        let styles: [(String, PictureStyle?)] = [
            ("pixels", nil), ("half-blocks", .halfBlocks), ("quadrants", .quadrants), ("characters", .characters),
        ]
        var before: View?
        for (name, style) in styles {
            let image = ImageView(picture)
            image.pictureStyle = style
            image.accessibilityLabel = "a ball on a lawn, as \(name)"
            let label = Label(name, role: .secondary)
            label.alignment = .center
            view.addSubview(label)
            view.addSubview(image)
            label.ndl.makeConstraints { make in
                make.top.equalTo(view)
                make.horizontal.equalTo(image)
            }
            image.ndl.makeConstraints { make in
                make.top.equalTo(label.ndl.bottom)
                make.bottom.equalTo(view)
                if let before {
                    make.left.equalTo(before.ndl.right).offset(1)
                    make.width.equalTo(before)
                } else {
                    make.left.equalTo(view)
                }
            }
            before = image
        }
        if let before { before.ndl.makeConstraints { $0.right.equalTo(view) } }
    }

    /// Returns a picture of a ball on a lawn.
    private static func picture(_ size: PixelSize) -> Picture {
        var picture = Picture(width: size.width, height: size.height, filledWith: .black)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (dx, dy) = (Double(x) - 80, Double(y) - 66)
                let distance = (dx * dx + dy * dy).squareRoot()
                if distance < 40 {
                    let light = max(0.2, 1 - ((dx + 16) * (dx + 16) + (dy + 18) * (dy + 18)).squareRoot() / 70)
                    picture[x, y] = PictureColor(UInt8(230 * light), UInt8(90 * light), UInt8(50 * light))
                } else if y > 84 {
                    picture[x, y] = PictureColor(40, UInt8(90 + (x * 7 + y * 13) % 40), 45)
                } else {
                    picture[x, y] = PictureColor(UInt8(120 + y / 2), UInt8(170 + y / 2), 235)
                }
            }
        }
        return picture
    }
}
