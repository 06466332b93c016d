import AccountCore
import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI

/// The texts of the logged-out screen.
enum LoggedOutText {
    /// The title of the toolbar, which is the same in every language.
    static let title = LocalizedText(verbatim: "PRESS START")
    static let guest = LocalizedText("Continue as a guest", ko: "손님으로 계속")
    static let login = LocalizedText("Log in", ko: "로그인")
    static let signUp = LocalizedText("Sign up", ko: "회원가입")
    static let quit = LocalizedText("Quit", ko: "끝내기")
    static let motto = LocalizedText("Your todos are waiting.", ko: "할 일이 기다리고 있습니다.")

    /// Returns the title of a provider's button.
    static func provider(_ name: String) -> LocalizedText {
        LocalizedText("\(name) Login", ko: "\(name) 로그인")
    }
}

/// The start screen: guest, login and sign-up in the centre, the outside providers one above the other at the bottom.
@MainActor
final class LoggedOutViewController: ViewController, LoggedOutPresentable, LoggedOutViewControllable, KeyHinting {
    weak var listener: (any LoggedOutPresentableListener)?

    private let appearance: Appearance
    private let providers: [DeviceProvider]
    private let scroll = ScrollView()
    private var providerButtons: [Button] = []
    /// The traits that the screen is arranged for.
    private var arranged: Traits?

    private lazy var form = Form(spacing: 0) {
        Text(LoggedOutText.motto(appearance.language), role: .secondary, alignment: .center)
        Action(LoggedOutText.guest(appearance.language), kind: .primary) { [weak self] in
            self?.listener?.didChooseGuest()
        }
        Action(LoggedOutText.login(appearance.language)) { [weak self] in self?.listener?.didChooseLogin() }
        Action(LoggedOutText.signUp(appearance.language)) { [weak self] in self?.listener?.didChooseSignUp() }
    }

    init(appearance: Appearance, providers: [DeviceProvider]) {
        self.appearance = appearance
        self.providers = providers
        super.init()
        title = LoggedOutText.title(appearance.language)
    }

    var keyHints: [KeyHint] {
        [
            KeyHint("g", LoggedOutText.guest), KeyHint("l", LoggedOutText.login), KeyHint("s", LoggedOutText.signUp),
            KeyHint("q", LoggedOutText.quit),
        ]
            + zip(Self.providerKeys, providers).map { KeyHint($0, LoggedOutText.provider($1.name)) }
    }

    private static let providerKeys: [Character] = ["1", "2", "3", "4"]

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(scroll)
        scroll.ndl.makeConstraints { $0.edges.equalTo(view) }
        scroll.contentView.addSubview(form)
        providerButtons = providers.map { provider in
            let look = ProviderLook(name: provider.name)
            let button = Button(LoggedOutText.provider(provider.name)(appearance.language)) { [weak self] in
                self?.listener?.didChoose(provider)
            }
            button.icon = look.icon
            button.colors = look.colors
            // Its height is a constraint, higher than its title on a large screen.
            button.layoutNode.verticalHugging = .low
            scroll.contentView.addSubview(button)
            return button
        }
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        form.focusFirst()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        if arranged != view.traits { arrange() }
    }

    override func keyDown(_ key: Key) -> Bool {
        switch key {
        case .character("g"): listener?.didChooseGuest()
        case .character("l"): listener?.didChooseLogin()
        case .character("s"): listener?.didChooseSignUp()
        case .character("q"): listener?.didChooseQuit()
        default:
            guard let index = Self.providerKeys.firstIndex(where: { key == .character($0) }), index < providers.count
            else { return false }
            listener?.didChoose(providers[index])
        }
        return true
    }

    func push(_ child: any ViewControllable) {
        guard let controller = child as? ViewController else { return }
        navigationController?.push(controller)
    }

    func pop(_ child: any ViewControllable) {
        guard navigationController?.topViewController === child else { return }
        navigationController?.pop()
    }

    /// Arranges the providers from the bottom up, each as high as the one below it and a row away from it.
    private func arrange() {
        arranged = view.traits
        let content = scroll.contentView
        let isRegular = view.traits.horizontal == .regular && view.traits.vertical == .regular
        let inset = view.traits.horizontal == .regular ? 16.0 : 2.0
        let gap = isRegular ? 1.0 : 0.0
        for (index, button) in providerButtons.enumerated() {
            button.ndl.remakeConstraints { make in
                make.left.equalTo(view.ndl.left).offset(inset)
                make.right.equalTo(view.ndl.right).offset(-inset)
                if index == 0 {
                    make.bottom.equalTo(content.ndl.bottom).offset(-gap)
                    make.height.equalTo(isRegular ? 3 : 1)
                } else {
                    let below = providerButtons[index - 1]
                    make.bottom.equalTo(below.ndl.top).offset(-gap)
                    make.height.equalTo(below.ndl.height)
                }
            }
        }
        form.ndl.remakeConstraints { make in
            make.centerX.equalTo(content)
            make.centerY.equalTo(content).priority(300)
            make.top.greaterThanOrEqualTo(content)
            make.width.equalTo(40).priority(700)
            make.width.lessThanOrEqualTo(content)
            if let highest = providerButtons.last {
                make.bottom.lessThanOrEqualTo(highest.ndl.top).offset(-gap)
            } else {
                make.bottom.lessThanOrEqualTo(content)
            }
        }
    }
}

/// The icon and the colours of a known provider; others look like ordinary buttons.
struct ProviderLook {
    let icon: Character?
    let colors: Style?

    init(name: String) {
        switch name.lowercased() {
        case "google":
            icon = "G"
            colors = Style(foreground: .hex(0x3C4043), background: .hex(0xF1F3F4), attributes: .bold)
        case "facebook":
            icon = "f"
            colors = Style(foreground: .hex(0xFFFFFF), background: .hex(0x3B5998), attributes: .bold)
        default:
            icon = name.first
            colors = nil
        }
    }
}
