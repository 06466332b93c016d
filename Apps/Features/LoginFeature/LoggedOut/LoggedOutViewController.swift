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
    static let motto = LocalizedText("Your todos are waiting.", ko: "할 일이 기다리고 있습니다.")

    /// Returns the title of a provider's button.
    static func provider(_ name: String) -> LocalizedText {
        LocalizedText("\(name) Login", ko: "\(name) 로그인")
    }
}

/// The start screen: guest, login and sign-up in the centre, the outside providers below them, all of equal width, each with
/// its key.
@MainActor
final class LoggedOutViewController: ViewController, LoggedOutPresentable, LoggedOutViewControllable, KeyHinting {
    weak var listener: (any LoggedOutPresentableListener)?

    private let appearance: Appearance
    private let providers: [DeviceProvider]
    private let scroll = ScrollView()
    /// All choices.
    private let group = View()
    private var providerButtons: [Button] = []
    /// The free columns at either side that the choices are arranged for.
    private var inset: Int?

    private lazy var form = Form(margin: 0) {
        Text(LoggedOutText.motto(appearance.language), role: .secondary, alignment: .center)
        Action(CommonText.continueAsGuest(appearance.language), kind: .primary, detail: "g") { [weak self] in
            self?.listener?.didChooseGuest()
        }
        Action(CommonText.logIn(appearance.language), detail: "l") { [weak self] in self?.listener?.didChooseLogin() }
        Action(CommonText.signUp(appearance.language), detail: "s") { [weak self] in self?.listener?.didChooseSignUp() }
    }

    init(appearance: Appearance, providers: [DeviceProvider]) {
        self.appearance = appearance
        self.providers = providers
        super.init()
        title = LoggedOutText.title(appearance.language)
    }

    var keyHints: [KeyHint] {
        [
            KeyHint("g", CommonText.continueAsGuest), KeyHint("l", CommonText.logIn), KeyHint("s", CommonText.signUp),
            KeyHint("q", CommonText.quit),
        ]
            + zip(Self.providerKeys, providers).map { KeyHint($0, LoggedOutText.provider($1.name)) }
    }

    private static let providerKeys: [Character] = ["1", "2", "3", "4"]
    /// The most columns of a choice.
    private static let widest = 68

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(scroll)
        scroll.ndl.makeConstraints { $0.edges.equalTo(view) }
        scroll.contentView.addSubview(group)
        group.addSubview(form)
        providerButtons = providers.enumerated().map { index, provider in
            let look = ProviderLook(name: provider.name)
            let button = Button(LoggedOutText.provider(provider.name)(appearance.language)) { [weak self] in
                self?.listener?.didChoose(provider)
            }
            button.icon = look.icon
            button.iconColors = look.colors
            if index < Self.providerKeys.count { button.detail = String(Self.providerKeys[index]) }
            group.addSubview(button)
            return button
        }
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        form.focusFirst()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let width = view.bounds.width
        // The titles are whole in 20 columns. On a wide screen the keys are near them.
        let inset = view.traits.horizontal == .regular ? max(16, (width - Self.widest) / 2) : width < 28 ? 0 : 2
        guard inset != self.inset else { return }
        self.inset = inset
        arrange(inset: Double(inset))
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

    func push(_ child: any ViewControllable) { pushScreen(child) }

    func pop(_ child: any ViewControllable) { popScreen(child) }

    /// Arranges the choices in the centre, the providers below the others.
    private func arrange(inset: Double) {
        group.ndl.remakeConstraints { make in
            make.left.equalTo(view.ndl.left).offset(inset)
            make.right.equalTo(view.ndl.right).offset(-inset)
            make.centerY.equalTo(scroll.contentView).priority(300)
            make.top.greaterThanOrEqualTo(scroll.contentView)
            make.bottom.lessThanOrEqualTo(scroll.contentView)
        }
        form.ndl.remakeConstraints { $0.top.horizontal.equalTo(group) }
        for (above, button) in zip([form] + providerButtons as [View], providerButtons) {
            button.ndl.remakeConstraints { make in
                make.horizontal.equalTo(group)
                make.top.equalTo(above.ndl.bottom).offset(above === form ? 1 : 0)
                make.height.equalTo(1)
            }
        }
        let lowest = providerButtons.last ?? form
        lowest.ndl.makeConstraints { $0.bottom.equalTo(group) }
    }
}

/// The icon of a provider, and its colours of a known one. The button itself has no more weight than the main choices.
struct ProviderLook {
    let icon: Character?
    let colors: TextStyle?

    init(name: String) {
        switch name.lowercased() {
        case "google":
            icon = "G"
            colors = TextStyle(foreground: .hex(0x3C4043), background: .hex(0xF1F3F4), attributes: .bold)
        case "facebook":
            icon = "f"
            colors = TextStyle(foreground: .hex(0xFFFFFF), background: .hex(0x3B5998), attributes: .bold)
        default:
            icon = name.first
            colors = nil
        }
    }
}
