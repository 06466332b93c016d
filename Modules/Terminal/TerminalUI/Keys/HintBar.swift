public import NeedleKit

/// A line with the keys of what has the focus now. The keys are highlighted, and a click on one presses it.
@MainActor
public final class HintBar: View {
    /// The screen whose keys are shown while no view has the focus.
    public var fallback: (@MainActor () -> Responder?)?
    /// The key of the list of all keys, which the line always shows.
    public var listKey: Key? = .character("?")

    private let language: String
    /// The hints in the line and their columns, as they were drawn last.
    private var places: [(columns: Range<Int>, key: Key)] = []

    /// Creates a bar for a language, a code such as `ko`.
    public init(language: String = "en") {
        self.language = language
        super.init()
        layoutNode.verticalHugging = .required - 1
    }

    /// One row.
    public override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: nil, height: 1) }

    /// The hints that the line shows, most important first.
    public var hints: [KeyHint] { window.map { KeyHints.focused(in: $0, fallback: fallback?()) } ?? [] }

    /// Draws as many hints as fit: one that is too long is left out for those after it, unless these are used rarely. The key of
    /// the list of all keys is always among them; without it, a mark says that there are more, unless these are used rarely.
    public override func draw(in canvas: Canvas) {
        places = []
        let hints = hints
        let length = hints.reduce(-2) { $0 + width(of: $1) + 2 }
        guard length > bounds.width else {
            var x = 0
            for hint in hints { x = draw(hint, at: x, in: canvas) }
            return
        }
        let list = hints.first { $0.key == listKey }
        let end = bounds.width - (list.map { width(of: $0) + 2 } ?? 3)
        var x = 0
        var isComplete = true
        for hint in hints where hint != list && (isComplete || !hint.isRare) {
            if x + width(of: hint) <= end {
                x = draw(hint, at: x, in: canvas)
            } else if !hint.isRare {
                isComplete = false
            }
        }
        if let list {
            _ = draw(list, at: x, in: canvas)
        } else if !isComplete {
            canvas.text("…", x: min(x, max(0, bounds.width - 1)), y: 0, style: theme.secondary)
        }
    }

    /// The keys, named as they are typed in the plain mode.
    public override var plainText: [String] {
        let hints = hints.map { "\($0.key) \(text(of: $0))" }
        return hints.isEmpty ? [] : [hints.joined(separator: ", ")]
    }

    /// Returns the row of the visible bar at the lower edge of a window; `nil` without one.
    static func top(in window: Window) -> Int? {
        var views = window.subviews
        while let view = views.popLast() {
            guard !view.isHidden else { continue }
            if view is HintBar {
                let y = view.convertToWindow(.zero).y
                if y > 0, y + view.bounds.height == window.bounds.height { return y }
            }
            views += view.subviews
        }
        return nil
    }

    private func width(of hint: KeyHint) -> Int {
        DisplayWidth.of(hint.name) + 1 + DisplayWidth.of(text(of: hint))
    }

    private func text(of hint: KeyHint) -> String { KeyHints.text(hint.action(language)) }

    /// Draws a hint and returns the column of the next one.
    private func draw(_ hint: KeyHint, at x: Int, in canvas: Canvas) -> Int {
        // The attributes "bold" and "dim" look alike on some terminals: the colour separates a key from its action.
        let style = TextStyle(foreground: theme.isMonochrome ? .standard : theme.tint, attributes: .bold)
        canvas.text(hint.name, x: x, y: 0, style: style)
        canvas.text(text(of: hint), x: x + DisplayWidth.of(hint.name) + 1, y: 0, style: theme.secondary)
        places.append((x..<(x + width(of: hint)), hint.key))
        return x + width(of: hint) + 2
    }

    public override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind,
            let place = places.first(where: { $0.columns.contains(event.location.x) })
        else { return false }
        window?.dispatch(.key(place.key))
        return true
    }
}

/// Collects the hints of a screen.
@MainActor
public enum KeyHints {
    package static let next = KeyText("next field", ko: "다음 칸")
    package static let move = KeyText("move", ko: "이동")
    package static let complete = KeyText("complete the word", ko: "낱말 완성")
    package static let accept = KeyText("accept", ko: "확인")
    package static let press = KeyText("press", ko: "누르기")
    package static let toggle = KeyText("toggle", ko: "켜고 끄기")
    package static let choose = KeyText("choose", ko: "고르기")
    package static let close = KeyText("close", ko: "닫기")

    /// Returns the name of an action as lines and lists of keys show it: buttons have the same texts with a capital letter.
    /// Names stay as they are; in a language without capital letters every Latin word is one.
    package static func text(_ name: String) -> String {
        name.dropFirst().contains { $0.isUppercase || $0.isLetter && !$0.isCased } ? name : name.lowercased()
    }

    /// Returns the hints of what has the focus in a window: the focused view first, then what is around it, and at the
    /// end the keys that are used rarely.
    ///
    /// While text is typed, keys that type a character are left out.
    ///
    /// - Parameters:
    ///   - window: the window.
    ///   - fallback: where the keys go in a window without a focused view.
    /// - Returns: the hints, each key once.
    public static func focused(in window: Window, fallback: Responder?) -> [KeyHint] {
        guard let first = window.firstResponder ?? fallback else { return [] }
        let isTyping = (first as? View)?.acceptsText == true
        var chain: [any KeyHinting] = []
        for responder in sequence(first: first, next: \.next) {
            if let hinting = responder as? any KeyHinting { chain.append(hinting) }
            // The keys of the screen below do not apply to what is presented over it.
            if (responder as? ViewController)?.presenting != nil { break }
        }
        let hints = unique(chain.flatMap(\.keyHints)).filter { !isTyping || $0.key.text == nil }
        return hints.filter { !$0.isRare } + hints.filter(\.isRare)
    }

    /// Returns the hints of a screen and of all view controllers in it and around it, each with what performs it: those of the
    /// innermost view controllers first.
    public static func all(of screen: ViewController) -> [(hint: KeyHint, owner: any KeyHinting)] {
        var owners: [any KeyHinting] = []
        func collect(_ controller: ViewController) {
            for child in controller.children.reversed() { collect(child) }
            if let hinting = controller as? any KeyHinting { owners.append(hinting) }
        }
        collect(screen)
        for responder in sequence(first: screen as Responder, next: \.next).dropFirst() {
            if let hinting = responder as? any KeyHinting { owners.append(hinting) }
        }
        var seen: Set<Key> = []
        return owners.flatMap { owner in
            owner.keyHints.filter { seen.insert($0.key).inserted }.map { (hint: $0, owner: owner) }
        }
    }

    private static func unique(_ hints: [KeyHint]) -> [KeyHint] {
        var seen: Set<Key> = []
        return hints.filter { seen.insert($0.key).inserted }
    }
}
