import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Controls and the focus")
@MainActor
struct ControlTests {
    @Test("Enter, Space and a click trigger a button; a disabled one is skipped")
    func button() async {
        var taps = 0
        let first = Button("First") { taps += 1 }
        let disabled = Button("Disabled") { taps += 100 }
        let last = Button("Last") { taps += 10 }
        disabled.isEnabled = false
        let app = await show(first, disabled, last, width: 20, height: 4)
        await app.press(Key(.enter), .character(" "))
        #expect(taps == 2)
        await app.press(.tab)
        #expect(last.isFirstResponder)
        await app.click(on: "Last")
        await app.click(on: "Disabled")
        #expect(taps == 12)
        await app.press(Key(.tab, .shift))
        #expect(first.isFirstResponder)
        // A button in a bar has less room around its title.
        let bars = ToolbarController(content: Stack())
        bars.toolbar.setLeft("menu")
        let other = await launch(bars)
        #expect(bars.toolbar.leftButton.frame.width == 6)
        bars.toolbar.leftButton.kind = .primary
        await other.settle()
        #expect(bars.toolbar.leftButton.frame.width == 8)
    }

    @Test("A button released outside is not triggered")
    func releasedBeside() async {
        var taps = 0
        let button = Button("Here") { taps += 1 }
        let app = await show(button, width: 20, height: 4)
        await app.mouse(.down(.left), at: GridPoint(x: 1, y: 0))
        await app.mouse(.up(.left), at: GridPoint(x: 1, y: 3))
        #expect(taps == 0)
        await app.click(on: "Here")
        #expect(taps == 1)
    }

    @Test("An enabled button can have the focus, and a disabled one loses it")
    func enabling() async {
        let field = TextField()
        let button = Button("Go")
        button.isEnabled = false
        field.onChange = { button.isEnabled = $0.count >= 2 }
        let app = await show(field, button, width: 20, height: 4)
        await app.type("a\t")
        #expect(field.isFirstResponder)
        await app.type("b\t")
        #expect(button.isFirstResponder)
        button.isEnabled = false
        await app.settle()
        #expect(field.isFirstResponder)
    }

    @Test("The focus of a control that is disabled moves to the nearest one, and not out of its group")
    func disabling() async {
        let buttons = ["menu", "now", "back", "end"].map { Button($0) }
        let group = View()
        for button in buttons[1...2] { group.addSubview(button) }
        let app = await show(buttons[0], group, buttons[3], width: 20, height: 6)
        buttons[1].becomeFirstResponder()
        buttons[1].isEnabled = false
        await app.settle()
        #expect(buttons[2].isFirstResponder)
        buttons[1].isEnabled = true
        buttons[2].isEnabled = false
        #expect(buttons[1].isFirstResponder)
        buttons[1].isEnabled = false
        #expect(buttons[3].isFirstResponder)
        buttons[3].isEnabled = false
        #expect(buttons[0].isFirstResponder)
        buttons[0].isEnabled = false
        await app.settle()
        #expect(buttons.allSatisfy { !$0.isFirstResponder })
        for (step, button) in [(-1, buttons[3]), (1, buttons[0])] {
            buttons[0].isEnabled = true
            buttons[3].isEnabled = true
            #expect(button.window?.moveFocus(by: step) == true && button.isFirstResponder)
            buttons[0].isEnabled = false
            buttons[3].isEnabled = false
            await app.settle()
        }
    }

    @Test("A checkbox toggles and reports it")
    func checkbox() async {
        var told: [Bool] = []
        let box = Checkbox("자동 로그인") { told.append($0) }
        let app = await show(box, width: 20, height: 4)
        await app.press(.character(" "))
        #expect(app.text == "[x] 자동 로그인")
        await app.click(on: "자동")
        #expect(told == [true, false])
    }

    @Test("Unhandled keys go up the chain: view, controller, window, application")
    func chain() async {
        let app = await show(Button("Go"), width: 20, height: 4)
        var keys: [Key] = []
        app.application.onKey = {
            keys.append($0)
            return true
        }
        await app.press(.function(5))
        #expect(keys == [Key(.function(5))])
        // What is presented passes keys to the application, and none to the view controller below it.
        final class Page: ViewController {
            var keys: [Key] = []
            override func keyDown(_ key: Key) -> Bool {
                keys.append(key)
                return true
            }
        }
        let page = Page()
        let other = await launch(page, width: 30, height: 8)
        other.application.onKey = { key in
            keys.append(key)
            return true
        }
        await other.press(.character("q"))
        page.present(AlertController(title: "Sure?"))
        await other.settle()
        await other.press(.character("w"))
        #expect(page.keys == [.character("q")] && keys.last == .character("w"))
    }

    @Test("A hidden view is not drawn, receives no events and has no focus")
    func hidden() async {
        let (first, second) = (Button("First"), Button("Second"))
        let app = await show(first, second, width: 20, height: 4)
        first.isHidden = true
        await app.settle()
        #expect(!app.text.contains("First"))
        #expect(second.isFirstResponder)
        // The layout's property is the same.
        first.layoutNode.isHidden = false
        second.layoutNode.isHidden = true
        await app.settle()
        #expect(app.text.contains("First") && !app.text.contains("Second"))
        #expect(!first.isHidden && second.isHidden)
        second.isHidden = false
        await app.settle()
        #expect(app.text.contains("Second"))
    }

    @Test("Views of one row yield to constraints on their height")
    func stretched() async {
        func views() -> [View] { [Label("text"), TextField(), Button("press"), Divider(), HintBar()] }
        for view in views() {
            let app = await fill(view, width: 20, height: 6)
            #expect(view.frame.height == 6 && app.application.window.layoutDiagnostics == [], "\(view)")
        }
        let fixed = views()
        for view in fixed { view.ndl.makeConstraints { $0.height.equalTo(3) } }
        let column = View()
        for view in fixed { column.addSubview(view) }
        column.ndl.stack(fixed, spacing: 1, distribution: .start)
        let app = await fill(column, width: 20, height: 24)
        #expect(fixed.map(\.frame.minY) == [0, 4, 8, 12, 16] && fixed.allSatisfy { $0.frame.height == 3 })
        #expect(app.application.window.layoutDiagnostics == [])
        let bar = View()
        let line = Divider(.vertical)
        bar.addSubview(line)
        line.ndl.makeConstraints { $0.edges.equalToSuperview() }
        let other = await fill(bar, width: 20, height: 6)
        #expect(line.frame.width == 20 && other.application.window.layoutDiagnostics == [])
    }

    @Test("A number of lines changes only the content priorities that nobody has set")
    func linePriorities() {
        let label = Label("text")
        func priorities() -> [LayoutPriority] {
            [label.layoutNode.horizontalCompressionResistance, label.layoutNode.verticalHugging]
        }
        let single = priorities()
        label.numberOfLines = 0
        #expect(priorities() == [.low, .high])
        label.numberOfLines = 1
        #expect(priorities() == single)
        label.layoutNode.verticalHugging = 300
        label.numberOfLines = 0
        #expect(priorities() == [.low, 300])
        label.ndl.setCompressionResistance(.medium, .horizontal)
        label.numberOfLines = 1
        #expect(priorities() == [.medium, 300])
    }

    @Test("Labels wrap, align and truncate by cells")
    func labels() async {
        let (wrapping, right) = (Label("오늘은 우유를 산다", numberOfLines: 0), Label("끝"))
        right.alignment = .trailing
        let cut = Label("아주 긴 제목입니다")
        let app = await show(wrapping, right, cut, width: 9, height: 6)
        #expect(app.text == "오늘은\n우유를\n산다\n       끝\n아주 긴…")
        wrapping.text = "짧다"
        await app.settle()
        #expect(app.screen.line(1) == "       끝")
    }

    @Test("Labels align by the baselines of their first or last lines, with any number of lines")
    func baselines() async {
        let (tall, first, last) = (Label("one\ntwo\nthree", numberOfLines: 0), Label("1"), Label("3"))
        let app = await show(tall, width: 20, height: 6)
        for label in [first, last] {
            tall.superview?.addSubview(label)
            label.ndl.makeConstraints { $0.left.equalTo(label === first ? 10 : 12) }
        }
        first.ndl.makeConstraints { $0.firstBaseline.equalTo(tall) }
        last.ndl.makeConstraints { $0.lastBaseline.equalTo(tall) }
        await app.settle()
        #expect(app.text == "one       1\ntwo\nthree       3")
        tall.text = "one\ntwo"
        await app.settle()
        #expect(app.text == "one       1\ntwo         3")
        await app.quit()
    }

    @Test("A spinner animates by the clock; without animations only its text is shown")
    func spinner() async {
        let spinner = Spinner("불러오는 중…")
        let still = await show(spinner, width: 20, height: 2)
        #expect(still.text.isEmpty)
        spinner.startAnimating()
        await still.settle()
        #expect(still.text == "· 불러오는 중…")
        #expect(still.clock.sleepers == 0)
        await still.quit()

        let moving = await show(spinner, width: 20, height: 2, animations: true)
        await moving.settle()
        for _ in 0..<100 {
            let before = moving.text
            await moving.advance(by: .milliseconds(100))
            #expect(moving.text != before)
        }
        #expect(moving.text.hasSuffix("불러오는 중…"))
        spinner.stopAnimating()
        await moving.advance(by: .milliseconds(100))
        #expect(moving.text.isEmpty)
        #expect(moving.clock.sleepers == 0)
    }

    @Test("A progress bar shows eighths of a cell and accepts every number")
    func progress() async {
        let bar = ProgressBar(progress: 0.5)
        let app = await show(bar, width: 15, height: 1)
        #expect(app.text == "█████       50%")
        for value in [-.infinity, .nan, .infinity, -1, 2, 0.0625] {
            bar.progress = value
            await app.settle()
        }
        #expect(app.text == "▋            6%")
    }

    @Test("Without a focusable view, the topmost visible view controller receives keys and pastes first")
    func keysWithoutFocus() async {
        final class Listener: ViewController {
            var heard: [String] = []
            var handles = true
            override func keyDown(_ key: Key) -> Bool {
                heard.append("\(key)")
                return handles && key != Key(.escape)
            }
            override func paste(_ paste: Paste) -> Bool {
                heard.append(paste.text)
                return true
            }
        }
        let container = ViewController()
        let siblings = [Listener(), Listener()]
        for sibling in siblings {
            container.addChild(sibling)
            container.view.addSubview(sibling.view)
        }
        await TestApplication(root: container).type("s")
        #expect(siblings.map(\.heard) == [[], ["s"]])

        let below = Listener()
        let above = Listener()
        let navigation = NavigationController(root: below)
        let app = TestApplication(root: ToolbarController(content: navigation))
        await app.type("a")
        #expect(below.heard == ["a"] && app.application.window.firstResponder == nil)
        navigation.push(above)
        await app.type("b")
        await app.paste("text")
        #expect(above.heard == ["b", "text"] && below.heard == ["a"])
        above.view.isHidden = true
        await app.press(.escape)
        #expect(above.heard == ["b", "text"] && navigation.topViewController === below)
        below.handles = false
        let field = TextField()
        below.view.addSubview(field)
        await app.type("c")
        #expect(field.text == "c" && below.heard == ["a"])
    }

    @Test("A view that is removed while it has the focus is notified that it has lost it")
    func removedFocus() async {
        final class Watcher: Control {
            var changes: [Bool] = []
            override func focusDidChange() { changes.append(isFirstResponder) }
        }
        let watcher = Watcher()
        let button = Button("Next")
        let app = await show(watcher, button)
        #expect(watcher.changes == [true])
        watcher.removeFromSuperview()
        #expect(watcher.changes == [true, false])
        await app.settle()
        #expect(button.isFirstResponder)
    }
}
