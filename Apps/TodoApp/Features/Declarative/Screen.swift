import NeedleKit
import TerminalUI

/// A view made of ``ViewElement``s, one below the other from the top; what they show is read again on ``refresh()``.
@MainActor
final class Screen: View {
    private var refreshers: [@MainActor () -> Void] = []

    /// Makes the views.
    ///
    /// - Parameters:
    ///   - margin: the columns left free at both sides.
    ///   - spacing: the rows left free between the elements.
    ///   - content: the elements.
    init(margin: Double = 2, spacing: Double = 0, @ViewElementBuilder content: () -> [any ViewElement]) {
        super.init()
        let stack = VStack(spacing: spacing, elements: content()).makeView(in: self)
        addSubview(stack)
        // The lower edge is free: where there is little room, what stands last is cut.
        stack.ndl.makeConstraints { make in
            make.top.equalTo(self)
            make.left.equalTo(self).offset(margin)
            make.right.equalTo(self).offset(-margin)
        }
    }

    /// Shows everything as it is now. What the user has typed is part of that: a ``Field`` has told its binding.
    func refresh() {
        for refresher in refreshers { refresher() }
    }

    /// Calls `update` now and on every ``refresh()``.
    func onRefresh(_ update: @escaping @MainActor () -> Void) {
        refreshers.append(update)
        update()
    }

    /// Gives the focus to the first element that takes it.
    func focusFirst() {
        func first(in view: View) -> View? {
            if view.canBecomeFirstResponder { return view }
            for child in view.subviews where !child.isHidden {
                if let found = first(in: child) { return found }
            }
            return nil
        }
        first(in: self)?.becomeFirstResponder()
    }
}
