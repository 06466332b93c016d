package import AppLanguage
package import NeedleKit
package import TerminalUI

/// A line with the keys of what has the focus now. The keys are highlighted, and a click on one presses it.
@MainActor
package final class HintBar: View {
    /// The screen whose keys are shown while no view has the focus.
    package var fallback: (@MainActor () -> Responder?)?

    private let language: AppLanguage
    /// The hints in the line and their columns, as they were drawn last.
    private var places: [(columns: Range<Int>, key: Key)] = []

    /// Creates a bar for a language.
    package init(language: AppLanguage) {
        self.language = language
        super.init()
        layoutNode.verticalHugging = .required
    }

    /// One row.
    package override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: nil, height: 1) }

    /// The hints that the line shows, most important first.
    package var hints: [KeyHint] {
        window.map { KeyHints.focused(in: $0, fallback: fallback?()) } ?? []
    }

    package override func draw(in canvas: Canvas) {
        places = []
        var x = 0
        for hint in hints {
            let action = hint.action(language)
            let width = DisplayWidth.of(hint.name) + 1 + DisplayWidth.of(action)
            guard x + width <= bounds.width else {
                canvas.text("…", x: min(x, max(0, bounds.width - 1)), y: 0, style: theme.secondary)
                break
            }
            canvas.text(hint.name, x: x, y: 0, style: Style(attributes: .bold))
            canvas.text(action, x: x + DisplayWidth.of(hint.name) + 1, y: 0, style: theme.secondary)
            places.append((x..<(x + width), hint.key))
            x += width + 2
        }
    }

    package override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind,
            let place = places.first(where: { $0.columns.contains(event.location.x) })
        else { return false }
        window?.dispatch(.key(place.key))
        return true
    }
}
