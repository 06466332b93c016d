import AppLanguage
import AppUI
import RIBs
import TerminalUI

/// The texts of Sync.
enum SyncText {
    static let title = LocalizedText("Sync", ko: "새 화면")
}

/// The view of Sync.
@MainActor
final class SyncViewController: ViewController, SyncPresentable, SyncViewControllable, KeyHinting {
    weak var listener: (any SyncPresentableListener)?

    init(appearance: Appearance) {
        super.init()
        title = SyncText.title(appearance.language)
    }

    var keyHints: [KeyHint] { [KeyHint(Key(.escape), CommonText.back)] }

    override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.escape) else { return false }
        listener?.didClose()
        return true
    }
}
