internal import NeedleKit

/// A form in the centre of a screen, which scrolls where the screen is too small for it.
///
/// The form fills a compact screen and has a maximum width on a regular one. It is centred while it fits;
/// otherwise it is as high as its elements require, and the focused element stays visible.
@MainActor
public final class ScrollingForm: View {
    /// The form.
    public let form: Form
    private let scroll = ScrollView()
    private let maximumWidth: Int
    /// The number of free columns beside the form, of which half are at its left.
    private var free = 0

    /// Creates a view around a form of the style ``Form/Style/page``, which has a maximum width.
    public init(width: Int = 60, _ form: Form) {
        self.form = form
        maximumWidth = width
        super.init()
        addSubview(scroll)
        scroll.contentView.addSubview(form)
        scroll.ndl.makeConstraints { $0.edges.equalTo(self) }
        place()
    }

    /// Centres the form.
    public override func layoutSubviews() {
        super.layoutSubviews()
        // The last column is the scroll bar's.
        let free = max(0, bounds.width - 1 - maximumWidth)
        guard free != self.free else { return }
        self.free = free
        place()
    }

    private func place() {
        let content = scroll.contentView
        form.ndl.remakeConstraints { make in
            make.left.equalTo(content).offset(free / 2)
            make.right.equalTo(content).offset(free / 2 - free)
            make.centerY.equalTo(content).priority(400)
            make.top.greaterThanOrEqualTo(content)
            make.bottom.lessThanOrEqualTo(content)
        }
    }

    /// The first visible row of the form's screen.
    public var contentOffset: Int { scroll.contentOffset }
}

/// A panel of a drawer: texts and buttons that scroll where the room is short. Up and Down move through the buttons.
@MainActor
public final class MenuViewController: ViewController {
    private let scroll = ScrollView()
    private var form: Form?
    private var elements: (() -> [any FormElement])?

    /// Creates an empty panel.
    public override init() { super.init() }

    /// Replaces the content of the panel. If it has the focus, its first element then has.
    public func show(@FormBuilder _ elements: @escaping () -> [any FormElement]) {
        self.elements = elements
        if viewIfLoaded != nil { build() }
    }

    /// Reads the values of the content again.
    public func refresh() { form?.refresh() }

    /// Adds the content.
    public override func viewDidLoad() {
        super.viewDidLoad()
        view.fill(with: scroll)
        build()
    }

    /// Reads the values again and moves the focus to the first element.
    public override func viewDidAppear() {
        super.viewDidAppear()
        form?.refresh()
        form?.focusFirst()
    }

    private func build() {
        guard let elements else { return }
        let hadFocus = form?.containsFirstResponder == true
        form?.removeFromSuperview()
        let form = Form(margin: 0) { VStack { elements() } }
        self.form = form
        scroll.contentView.addSubview(form)
        form.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(scroll.contentView)
            make.bottom.lessThanOrEqualTo(scroll.contentView)
        }
        if hadFocus { form.focusFirst() }
    }
}
