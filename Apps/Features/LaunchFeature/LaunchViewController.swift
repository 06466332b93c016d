import AccountCore
import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI

/// The texts of the launch.
enum LaunchText {
    static let checking = LocalizedText("Checking the version…", ko: "버전을 확인하는 중…")
    static let restoring = LocalizedText("Reading your session…", ko: "로그인 상태를 확인하는 중…")
    static let outdated = LocalizedText("This version is too old", ko: "오래된 버전입니다")
    static let retry = LocalizedText("Check again", ko: "다시 확인")
    static let slowVersion = LocalizedText(
        "The server did not report its version in time; the app continues with what is stored on this machine.",
        ko: "서버가 제때 버전을 알려 주지 않아, 이 컴퓨터에 저장된 내용으로 계속합니다."
    )
    static let slowSession = LocalizedText(
        "The session could not be verified in time. Log in again, or continue as a guest.",
        ko: "로그인 상태를 제때 확인하지 못했습니다. 다시 로그인하거나 손님으로 계속하세요."
    )
}

/// The splash screen: the flavour's name and what the launch is waiting for, or how to update.
@MainActor
final class LaunchViewController: ViewController, LaunchPresentable, ViewControllable, KeyHinting {
    weak var listener: (any LaunchPresentableListener)?

    private let appearance: Appearance
    private let name: Label
    private let spinner: Spinner
    private var form: ScrollingForm?

    init(appearance: Appearance) {
        self.appearance = appearance
        name = Label("\(appearance.symbol) \(appearance.title)", role: .title)
        spinner = Spinner(LaunchText.checking(appearance.language))
        super.init()
    }

    var keyHints: [KeyHint] {
        (form == nil ? [] : [KeyHint("r", LaunchText.retry)]) + [KeyHint("q", CommonText.quit)]
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(name)
        view.addSubview(spinner)
        name.ndl.makeConstraints { make in
            make.centerX.equalTo(view)
            make.centerY.equalTo(view).offset(-1)
        }
        spinner.ndl.makeConstraints { make in
            make.centerX.equalTo(view)
            make.top.equalTo(name.ndl.bottom).offset(1)
        }
    }

    override func keyDown(_ key: Key) -> Bool {
        switch key {
        case .character("r") where form != nil: listener?.didChooseRetry()
        case .character("q"): listener?.didChooseQuit()
        default: return false
        }
        return true
    }

    func show(_ state: SplashState) {
        switch state {
        case .checkingVersion: wait(LaunchText.checking)
        case .restoring: wait(LaunchText.restoring)
        case .outdated(let version): show(version)
        }
    }

    private func wait(_ text: LocalizedText) {
        form?.removeFromSuperview()
        form = nil
        name.isHidden = false
        spinner.text = text(appearance.language)
        spinner.startAnimating()
    }

    private func show(_ version: OutdatedVersion) {
        spinner.stopAnimating()
        name.isHidden = true
        let language = appearance.language
        let panel = Form(style: .panel, spacing: 1) {
            // The first rows are visible where the room is short, not those of the buttons.
            ProblemText(role: .title, lines: 0) { LaunchText.outdated(language) }
            Text(lines: 0) { version.versions(language) }
            Text(lines: 0) { version.instructions(language) }
            HStack(spacing: 2) {
                Action(LaunchText.retry(language), kind: .primary) { [weak self] in self?.listener?.didChooseRetry() }
                Action(CommonText.quit(language)) { [weak self] in self?.listener?.didChooseQuit() }
            }
        }
        let form = ScrollingForm(panel)
        self.form = form
        view.fill(with: form)
        panel.focusFirst()
        panel.refresh()
    }
}
