import NeedleKit
import Testing

@testable import TerminalUI

@Suite("Controls and the focus")
@MainActor
struct ControlTests {
    @Test("Enter, Space and a click act; a disabled button does not and is skipped")
    func button() async {
        var taps = 0
        let first = Button("First") { taps += 1 }
        let disabled = Button("Disabled") { taps += 100 }
        let last = Button("Last") { taps += 10 }
        disabled.isEnabled = false
        let app = TestApplication(root: Stack([first, disabled, last]), size: Size(width: 20, height: 4))
        await app.press(Key(.enter), .character(" "))
        #expect(taps == 2)
        await app.press(.tab)
        #expect(last.isFirstResponder)
        await app.click(on: "Last")
        await app.click(on: "Disabled")
        #expect(taps == 12)
        await app.press(Key(.tab, .shift))
        #expect(first.isFirstResponder)
    }

    @Test("A button released beside does not act")
    func releasedBeside() async {
        var taps = 0
        let button = Button("Here") { taps += 1 }
        let app = TestApplication(root: Stack([button]), size: Size(width: 20, height: 4))
        await app.send(.input(.mouse(MouseEvent(.down(.left), at: Point(x: 1, y: 0)))))
        await app.send(.input(.mouse(MouseEvent(.up(.left), at: Point(x: 1, y: 3)))))
        #expect(taps == 0)
        await app.click(on: "Here")
        #expect(taps == 1)
    }

    @Test("S7: a button that is enabled takes its turn, and one that is disabled gives the focus away")
    func enabling() async {
        let field = TextField()
        let button = Button("Go")
        button.isEnabled = false
        field.onChange = { button.isEnabled = $0.count >= 2 }
        let app = TestApplication(root: Stack([field, button]), size: Size(width: 20, height: 4))
        await app.type("a\t")
        #expect(field.isFirstResponder)
        await app.type("b\t")
        #expect(button.isFirstResponder)
        button.isEnabled = false
        await app.settle()
        #expect(field.isFirstResponder)
    }

    @Test("A checkbox turns and tells")
    func checkbox() async {
        var told: [Bool] = []
        let box = Checkbox("자동 로그인") { told.append($0) }
        let app = TestApplication(root: Stack([box]), size: Size(width: 20, height: 4))
        await app.press(.character(" "))
        #expect(app.text == "[x] 자동 로그인")
        await app.click(on: "자동")
        #expect(told == [true, false])
    }

    @Test("Keys that nobody wants go up the chain: view, controller, window, application")
    func chain() async {
        let app = TestApplication(root: Stack([Button("Go")]), size: Size(width: 20, height: 4))
        var keys: [Key] = []
        app.application.onKey = {
            keys.append($0)
            return true
        }
        await app.press(.function(5))
        #expect(keys == [Key(.function(5))])
    }

    @Test("A hidden view is neither drawn nor asked nor focused")
    func hidden() async {
        let first = Button("First")
        let second = Button("Second")
        let app = TestApplication(root: Stack([first, second]), size: Size(width: 20, height: 4))
        await app.settle()
        first.isHidden = true
        await app.settle()
        #expect(!app.text.contains("First"))
        #expect(second.isFirstResponder)
    }

    @Test("Labels wrap, align and cut by cells")
    func labels() async {
        let wrapping = Label("오늘은 우유를 산다", numberOfLines: 0)
        let right = Label("끝")
        right.alignment = .trailing
        let cut = Label("아주 긴 제목입니다")
        let app = TestApplication(root: Stack([wrapping, right, cut]), size: Size(width: 9, height: 6))
        await app.settle()
        #expect(app.text == "오늘은\n우유를\n산다\n       끝\n아주 긴…")
        wrapping.text = "짧다"
        await app.settle()
        #expect(app.screen.line(1) == "       끝")
    }

    @Test("Labels stand on their first lines' baselines, or on their last lines', however many lines they have")
    func baselines() async {
        let tall = Label("one\ntwo\nthree", numberOfLines: 0)
        let first = Label("1")
        let last = Label("3")
        let app = TestApplication(root: Stack([tall]), size: Size(width: 20, height: 6))
        await app.settle()
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

    @Test("T8: a spinner turns by the clock; where nothing may move its text says it")
    func spinner() async {
        let spinner = Spinner("불러오는 중…")
        let still = TestApplication(root: Stack([spinner]), size: Size(width: 20, height: 2))
        await still.settle()
        #expect(still.text.isEmpty)
        spinner.startAnimating()
        await still.settle()
        #expect(still.text == "· 불러오는 중…")
        #expect(still.clock.sleepers == 0)
        await still.quit()

        let moving = TestApplication(root: Stack([spinner]), size: Size(width: 20, height: 2), animations: true)
        await moving.settle()
        let first = moving.text
        await moving.advance(by: .milliseconds(100))
        #expect(moving.text != first)
        #expect(moving.text.hasSuffix("불러오는 중…"))
        spinner.stopAnimating()
        await moving.advance(by: .milliseconds(100))
        #expect(moving.text.isEmpty)
        #expect(moving.clock.sleepers == 0)
    }

    @Test("A progress bar shows eighths of a cell and survives every number")
    func progress() async {
        let bar = ProgressBar(progress: 0.5)
        let app = TestApplication(root: Stack([bar]), size: Size(width: 15, height: 1))
        await app.settle()
        #expect(app.text == "█████       50%")
        for value in [-.infinity, .nan, .infinity, -1, 2, 0.0625] {
            bar.progress = value
            await app.settle()
        }
        #expect(app.text == "▋            6%")
    }
}
