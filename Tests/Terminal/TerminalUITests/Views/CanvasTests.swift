import NeedleKit
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("Drawing over other views")
@MainActor
struct CanvasTests {
    /// A glyph in a random style in each cell.
    private final class Noise: View {
        private let seed: UInt64

        init(seed: UInt64) {
            self.seed = seed
            super.init()
        }

        override func draw(in canvas: Canvas) {
            var random = SeededGenerator(seed: seed)
            for y in 0..<bounds.height {
                for x in 0..<bounds.width {
                    let color = Color.palette(.random(in: 1...15, using: &random))
                    let attributes = TextStyle.Attributes(rawValue: .random(in: 0...63, using: &random))
                    canvas.text("⠹", x: x, y: y, style: TextStyle(foreground: color, attributes: attributes))
                }
            }
        }
    }

    /// Views of each kind over blanks, as a page that is presented over a screen.
    private final class Page: View {
        override init() {
            super.init()
            let views: [View] = [
                Label("The list shows it", numberOfLines: 2), Label("secondary", role: .secondary), Button("Next"),
                Button("Skip", kind: .bar), TextField(placeholder: "title"), Checkbox("Remember"), Spinner("wait"),
                ProgressBar(progress: 0.4), Pane(Label("inside"), title: "A title"), Divider(),
            ]
            for view in views { addSubview(view) }
            ndl.stack(views, distribution: .start)
        }

        override func draw(in canvas: Canvas) { canvas.fill(bounds, style: .plain) }
    }

    @Test("What a page covers leaves nothing of its style in the cells", arguments: 1...5 as ClosedRange<UInt64>)
    func covering(_ seed: UInt64) async {
        for depth in [ColorDepth.trueColor, .none] {
            let (page, below) = (Page(), Noise(seed: seed))
            let controller = ViewController(filledBy: below)
            controller.view.fill(with: page)
            let app = await launch(controller, width: 24, height: 16, depth: depth)
            let covered = app.screen
            below.isHidden = true
            await app.settle()
            #expect(covered == app.screen, "seed \(seed), \(depth)")
            #expect(app.text.contains("The list shows it"))
        }
    }

    @Test("Text on a surface has its colours, also over other text; text on a blank has those of the blank")
    func surfaces() {
        final class Panel: View {
            override func draw(in canvas: Canvas) {
                canvas.text("below", x: 0, y: 0, style: TextStyle(foreground: .red))
                canvas.text("ab", x: 1, y: 0)
                canvas.cover(
                    GridRect(x: 0, y: 1, width: 9, height: 1),
                    style: TextStyle(foreground: .green, background: .blue)
                )
                canvas.text("c", x: 0, y: 1)
                canvas.cover(
                    GridRect(x: 4, y: 1, width: 5, height: 1),
                    style: TextStyle(foreground: .black, background: .red)
                )
                canvas.text("e\u{301}e\u{301}", x: 3, y: 1)
            }
        }
        let panel = Panel()
        panel.background = TextStyle(foreground: .yellow, background: .black)
        let window = Window()
        window.rootViewController = ViewController(filledBy: panel)
        window.resize(to: GridSize(width: 9, height: 2))
        let screen = window.render().buffer
        #expect(screen.line(0) == "babow")
        #expect(screen[0, 0].style.foreground == .red && screen[3, 0].style.foreground == .red)
        #expect(screen[1, 0].style == TextStyle(foreground: .yellow, background: .black))
        #expect([0, 3].allSatisfy { screen[$0, 1].style == TextStyle(foreground: .green, background: .blue) })
        #expect(screen[4, 1].style == TextStyle(foreground: .black, background: .red))
        panel.background = TextStyle(attributes: .reverse)
        let reversed = window.render().buffer
        #expect((0..<5).allSatisfy { reversed[$0, 0].style.attributes.contains(.reverse) })
    }
}
