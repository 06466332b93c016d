package import AppLanguage
import NeedleKit
package import TerminalUI

/// A framed panel over a screen. Escape, the end of its title and a click beside it close it.
@MainActor
package class PanelController: ViewController {
    let language: AppLanguage

    /// Creates a panel.
    package init(title: String, language: AppLanguage) {
        self.language = language
        super.init()
        self.title = title
    }

    package override func loadView() -> View {
        let scrim = ScrimView(dims: false)
        scrim.onOutside = { [weak self] in self?.close() }
        return scrim
    }

    /// Adds the frame in the middle of the screen, with a size that the screen may reduce.
    func add(_ pane: Pane, size: GridSize) {
        view.addSubview(pane)
        pane.ndl.makeConstraints { make in
            make.centerX.equalTo(view)
            make.centerY.equalTo(view).priority(600)
            make.width.lessThanOrEqualTo(view)
            make.width.equalTo(Double(size.width)).priority(700)
            make.top.greaterThanOrEqualTo(view)
            // The line of keys stays visible.
            make.bottom.lessThanOrEqualTo(view).offset(-1)
            make.height.equalTo(Double(size.height)).priority(700)
        }
    }

    /// Returns the frame with the title and how it is closed.
    func makePane(_ content: View? = nil) -> Pane {
        let pane = content.map { Pane($0, title: title ?? "") } ?? Pane(title: title ?? "")
        pane.surface = \.panel
        pane.detail = "esc \(KeyHints.close(language))"
        pane.onDetail = { [weak self] in self?.close() }
        return pane
    }

    /// Closes the panel.
    func close() { dismiss() }

    /// Closes the panel on Escape.
    package override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.escape) else { return false }
        close()
        return true
    }
}
