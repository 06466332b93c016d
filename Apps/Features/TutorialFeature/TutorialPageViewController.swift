import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI

/// The user's actions on a page.
@MainActor
protocol TutorialPagePresentableListener: AnyObject {
    /// A button was pressed.
    func didChoose(_ action: TutorialPage.Action)
}

/// The view of a page, as its interactor uses it.
@MainActor
protocol TutorialPagePresentable: Presentable {
    var listener: (any TutorialPagePresentableListener)? { get set }
}

/// A page: a title, a text and buttons, in the centre of the screen; a text that is too long scrolls.
@MainActor
final class TutorialPageViewController: ViewController, TutorialPagePresentable, ViewControllable, KeyHinting {
    weak var listener: (any TutorialPagePresentableListener)?

    private let page: TutorialPage
    private let number: String
    private let appearance: Appearance
    private let hints: HintBar
    private let scroll = ScrollView()

    private lazy var form = Form(spacing: 1) {
        Text("\(appearance.symbol) \(appearance.title) · \(number)", role: .secondary)
        Text(page.title(appearance.language), role: .title)
        Text(lines: 0) { [page, appearance] in page.text(appearance.language) }
        VStack {
            for (index, choice) in page.choices.enumerated() {
                Action(choice.title(appearance.language), kind: index == 0 ? .primary : .plain) { [weak self] in
                    self?.listener?.didChoose(choice.action)
                }
            }
        }
    }

    init(page: TutorialPage, number: String, appearance: Appearance) {
        (self.page, self.number) = (page, number)
        self.appearance = appearance
        hints = HintBar(language: appearance.language.rawValue)
        super.init()
        hints.fallback = { [weak self] in self }
    }

    var keyHints: [KeyHint] { page.choices.map { KeyHint($0.key, $0.title) } }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(scroll)
        view.addSubview(hints)
        scroll.contentView.addSubview(form)
        scroll.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(view)
            make.bottom.equalTo(hints.ndl.top)
        }
        hints.ndl.makeConstraints { make in
            make.horizontal.equalTo(view).inset(1)
            make.bottom.equalTo(view)
        }
        form.ndl.makeConstraints { make in
            make.centerX.equalTo(scroll.contentView)
            make.centerY.equalTo(scroll.contentView).priority(400)
            make.top.greaterThanOrEqualTo(scroll.contentView)
            make.bottom.lessThanOrEqualTo(scroll.contentView)
            make.width.equalTo(56).priority(700)
            make.width.lessThanOrEqualTo(scroll.contentView)
        }
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        form.focusFirst()
    }

    override func keyDown(_ key: Key) -> Bool {
        guard let choice = page.choices.first(where: { $0.key == key }) else { return false }
        listener?.didChoose(choice.action)
        return true
    }
}
