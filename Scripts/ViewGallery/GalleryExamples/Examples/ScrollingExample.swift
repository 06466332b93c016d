import NeedleKit
import TerminalUI

extension GalleryExample {
    /// Content that scrolls both ways, by keys, wheel and bars.
    static let scrolling = GalleryExample("scrolling", "Scroll view") {
        let scroll = ScrollView()
        scroll.scrollsHorizontally = true
        let lines = (1...60).map { "\($0). 긴 줄 " + String(repeating: "한글 and text, ", count: 8) }
        let text = Label(lines.joined(separator: "\n"), numberOfLines: 0)
        let button = Button("A button far to the right and below")
        scroll.contentView.addSubview(text)
        scroll.contentView.addSubview(button)
        text.ndl.makeConstraints { make in
            make.top.left.equalTo(scroll.contentView)
            make.width.equalTo(170)
        }
        button.ndl.makeConstraints { make in
            make.top.equalTo(text.ndl.bottom)
            make.right.equalTo(text)
            make.bottom.equalTo(scroll.contentView)
        }
        return ViewController(filledBy: scroll)
    }
}
