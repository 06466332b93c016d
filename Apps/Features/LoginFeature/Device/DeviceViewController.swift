import AccountCore
import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI

/// The texts of the sign-in with an outside provider.
enum DeviceText {
    static let requesting = LocalizedText("Requesting a code…", ko: "코드를 요청하는 중…")
    static let waiting = LocalizedText("Waiting for your approval…", ko: "승인을 기다리는 중…")
    static let address = LocalizedText("Open this address on any device:", ko: "아무 기기에서나 이 주소를 여세요:")
    static let code = LocalizedText("Enter this code:", ko: "이 코드를 입력하세요:")
    static let warning = LocalizedText("Enter a code only if you have requested it yourself.", ko: "직접 요청한 코드만 입력하세요.")
    static let newCode = LocalizedText("New code", ko: "새 코드")
    static let invert = LocalizedText("invert the QR code", ko: "QR 코드 반전")
    static let denied = LocalizedText(
        "The sign-in was refused. Request a new code to try again.",
        ko: "로그인이 거부되었습니다. 다시 하려면 새 코드를 요청하세요."
    )
    static let expired = LocalizedText("The code has expired. Request a new one.", ko: "코드가 만료되었습니다. 새 코드를 요청하세요.")
    static let lost = LocalizedText(
        "The app was restarted. Request a new code.",
        ko: "앱이 다시 시작되었습니다. 새 코드를 요청하세요."
    )
}

/// The address and the code of a sign-in with an outside provider, with a QR code where there is room for it.
@MainActor
final class DeviceViewController: ViewController, DevicePresentable, ViewControllable, KeyHinting {
    weak var listener: (any DevicePresentableListener)?

    private let language: AppLanguage
    private var step = DeviceSignIn.requesting
    /// Whether the code was requested by an earlier process.
    private var isCodeLost = false
    private let spinner: Spinner
    private let qrCode = QRCodeView()

    private lazy var form = Form(spacing: 1) {
        VStack {
            Text(role: .secondary, lines: 2) { [weak self] in self?.text(DeviceText.address) ?? "" }
            Text(role: .accent, lines: 3) { [weak self] in self?.code?.address ?? "" }
        }
        VStack {
            Text(role: .secondary, lines: 2) { [weak self] in self?.text(DeviceText.code) ?? "" }
            Text(role: .title) { [weak self] in self?.code?.userCode ?? "" }
        }
        Text(role: .secondary, lines: 2) { [weak self] in self?.text(DeviceText.warning) ?? "" }
        Text(role: .error, lines: 3) { [weak self] in self?.problem ?? "" }
        HStack(spacing: 2) {
            Action(
                DeviceText.newCode(language),
                isEnabled: { [weak self] in self?.hasEnded ?? false },
                perform: { [weak self] in self?.listener?.didChooseNewCode() }
            )
            Action(CommonText.back(language)) { [weak self] in self?.listener?.didCancel() }
        }
        Text(role: .secondary, lines: 0) { [weak self] in self?.text(CommonText.loginTerms) ?? "" }
    }
    private lazy var screen = ScrollingForm(form)

    init(appearance: Appearance, provider: String) {
        language = appearance.language
        spinner = Spinner(DeviceText.requesting(appearance.language))
        super.init()
        title = LoggedOutText.provider(provider)(appearance.language)
    }

    var keyHints: [KeyHint] {
        [KeyHint(Key(.escape), CommonText.back)]
            + (hasEnded ? [KeyHint("n", DeviceText.newCode)] : [])
            + (qrCode.isHidden ? [] : [KeyHint("i", DeviceText.invert)])
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        for child in [screen, qrCode, spinner] as [View] { view.addSubview(child) }
        spinner.ndl.makeConstraints { make in
            make.centerX.equalTo(view)
            make.bottom.equalTo(view)
        }
        qrCode.ndl.makeConstraints { make in
            make.right.equalTo(view)
            make.centerY.equalTo(view)
        }
        arrange()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        arrange()
    }

    override func keyDown(_ key: Key) -> Bool {
        switch key {
        case Key(.escape): listener?.didCancel()
        case .character("n") where hasEnded: listener?.didChooseNewCode()
        case .character("i"): qrCode.isInverted.toggle()
        default: return false
        }
        return true
    }

    func show(_ step: DeviceSignIn) {
        self.step = step
        isCodeLost = false
        switch step {
        case .requesting: spin(DeviceText.requesting)
        case .waiting: spin(DeviceText.waiting)
        case .finished, .denied, .expired, .failed: spinner.stopAnimating()
        }
        qrCode.text = code.map { $0.completeAddress ?? $0.address }
        form.refresh()
        arrange()
    }

    func showLostCode() {
        isCodeLost = true
        spinner.stopAnimating()
        form.refresh()
    }

    private func spin(_ text: LocalizedText) {
        spinner.text = text(language)
        spinner.startAnimating()
    }

    /// Shows the QR code beside the form only where both have room: address and code are enough.
    private func arrange() {
        let size = view.frame.size
        let needed = qrCode.cellSize
        let fits = needed.width > 0 && size.width >= needed.width + 34 && size.height >= needed.height
        qrCode.isHidden = !fits
        screen.ndl.remakeConstraints { make in
            make.top.equalTo(view)
            make.left.equalTo(view)
            make.right.equalTo(view).offset(fits ? -Double(needed.width) : 0)
            make.bottom.equalTo(spinner.ndl.top)
        }
    }

    // MARK: - Values

    private var code: DeviceCode? {
        if case .waiting(let code, _) = step { code } else { nil }
    }

    /// Returns a text that is shown only while there is a code.
    private func text(_ text: LocalizedText) -> String { code == nil ? "" : text(language) }

    private var hasEnded: Bool {
        if isCodeLost { return true }
        return switch step {
        case .denied, .expired, .failed: true
        case .requesting, .waiting, .finished: false
        }
    }

    private var problem: String {
        if isCodeLost { return DeviceText.lost(language) }
        return switch step {
        case .requesting: ""
        case .waiting(_, let problem): problem?.text(language) ?? ""
        case .finished: CommonText.loggedIn(language)
        case .denied: DeviceText.denied(language)
        case .expired: DeviceText.expired(language)
        case .failed(let error): error.text(language)
        }
    }
}
