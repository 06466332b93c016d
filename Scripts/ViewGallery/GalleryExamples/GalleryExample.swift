import EssentialFoundation
import NeedleKit
package import TerminalUI

/// A screen of the gallery: some views, and the code that makes them.
@MainActor
package struct GalleryExample: Identifiable {
    /// The name on the command line, such as `fields`.
    package let id: String
    /// The name in the list.
    package let title: String
    /// The file of the code.
    let file: String
    /// Creates the screen.
    package let make: @MainActor () -> ViewController

    init(_ id: String, _ title: String, file: String = #filePath, make: @escaping @MainActor () -> ViewController) {
        self.id = id
        self.title = title
        self.file = file
        self.make = make
    }

    /// The code of the screen, from its source file; a note if the sources are not there.
    package var code: String {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            return "The source of this example is \(file.split(separator: "/").suffix(4).joined(separator: "/"))."
        }
        return text
    }

    /// All examples.
    package static let all: [GalleryExample] = [
        .text, .buttons, .fields, .editor, .completion, .list, .table, .calendar, .panes, .scrolling, .dialogs,
        .navigation, .progress, .pictures, .keys, .form,
    ]
}

/// A view controller whose views are one below the other.
final class GalleryStack: ViewController {
    private var rows: [(view: View, height: Double?)] = []

    /// Creates a stack. A view without a height has its natural one, or shares what is left.
    convenience init(_ rows: [(view: View, height: Double?)]) {
        self.init()
        self.rows = rows
    }

    convenience init(_ views: [View]) { self.init(views.map { ($0, nil) }) }

    override func viewDidLoad() {
        var above: View?
        for (subview, height) in rows {
            view.addSubview(subview)
            subview.ndl.makeConstraints { make in
                make.horizontal.equalTo(view).inset(1)
                make.top.equalTo(above?.ndl.bottom ?? view.ndl.top).offset(above == nil ? 0 : 1)
                if let height { make.height.equalTo(height) }
            }
            above = subview
        }
    }
}
