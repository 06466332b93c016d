import NeedleKit
package import TerminalUI

/// A form in the centre of a screen, which scrolls where the screen is too small for it.
///
/// The form fills a compact screen and is at most ``width`` columns wide on a regular one. It is centred while it fits;
/// otherwise it is as high as its elements require, and the focused element stays visible.
@MainActor
package final class ScrollingForm: View {
    /// The form.
    package let form: Form
    private let scroll = ScrollView()

    /// Creates a view around a form.
    ///
    /// - Parameters:
    ///   - width: the maximum width of the form.
    ///   - form: the form, of the style ``Form/Style/page``.
    package init(width: Double = 60, _ form: Form) {
        self.form = form
        super.init()
        addSubview(scroll)
        scroll.contentView.addSubview(form)
        scroll.ndl.makeConstraints { $0.edges.equalTo(self) }
        let content = scroll.contentView
        form.ndl.makeConstraints { make in
            make.centerX.equalTo(content)
            make.centerY.equalTo(content).priority(400)
            make.top.greaterThanOrEqualTo(content)
            make.bottom.lessThanOrEqualTo(content)
            make.width.equalTo(width).priority(700)
            make.width.lessThanOrEqualTo(content)
        }
    }

    /// The first visible row of the form's screen.
    package var contentOffset: Int { scroll.contentOffset }
}
