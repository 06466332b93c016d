import AppLanguage
import NeedleKit
import TerminalUI
import TodoCore

/// A line below the field for new todos: what the typed line means, as chips, and the names that complete its last word.
///
/// What looks like a field but is not one, such as `due:2026-02-30`, is reported before the line is entered.
@MainActor
final class EntryPreview: View {
    /// The parts of the line.
    private(set) var parts: [StyledText] = []
    /// Called when a completion is clicked.
    var onComplete: ((String) -> Void)?

    /// Whether the line contains what looks like a field but is not one.
    private var hasProblem = false
    private var completions: [(columns: Range<Int>, word: String)] = []

    override init() {
        super.init()
        layoutNode.collapsesWhenHidden = true
        layoutNode.verticalHugging = .required
        isHidden = true
    }

    /// One row; two for a problem, whose text is long.
    override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: nil, height: hasProblem ? 2 : 1) }

    /// Shows the meaning of a line.
    ///
    /// - Parameters:
    ///   - line: the text of the field.
    ///   - names: the names in use.
    ///   - today: the present day.
    ///   - language: the language of the texts.
    /// - Returns: whether the line contains what looks like a field but is not one.
    @discardableResult
    func show(_ line: String, names: TodoNames, today: Day, language: AppLanguage) -> Bool {
        parts = []
        completions = []
        let hadProblem = hasProblem
        hasProblem = false
        defer { if hasProblem != hadProblem { invalidateIntrinsicContentSize() } }
        let styles = TodoStyles(theme: theme)
        if let completion = WordCompletion(line, names: names) {
            parts.append(StyledText("Tab", styles.key))
            for word in completion.candidates.prefix(6) {
                let start = 1 + parts.width + 1
                parts.append(StyledText(word, word.hasPrefix("+") ? styles.project : styles.context))
                completions.append((start..<start + DisplayWidth.of(word), word))
            }
        } else {
            do throws(TodoError) {
                let entry = try TodoEntry(parsing: line, today: today)
                hasProblem = !entry.problems.isEmpty
                parts = Self.chips(entry, today: today, language: language, styles: styles)
            } catch {
                hasProblem = true
                parts = [StyledText(error.text(language), styles.problem)]
            }
        }
        setNeedsDisplay()
        return hasProblem
    }

    /// Returns the meaning of an entry: problems first, then the fields.
    static func chips(
        _ entry: TodoEntry,
        today: Day,
        language: AppLanguage,
        styles: TodoStyles
    ) -> [StyledText] {
        var chips = entry.problems.map { StyledText("! " + $0.explanation(language), styles.problem) }
        if let priority = entry.priority?.value { chips.append(StyledText("(\(priority))", styles.priority(priority))) }
        if let due = entry.due?.value {
            chips.append(StyledText("▸ " + DayText.text(due, entry.dueTime, today: today)(language), styles.today))
        }
        if let threshold = entry.threshold?.value, let day = threshold.day(due: entry.due?.value) {
            chips.append(StyledText(DayText.hidden(until: day, today: today)(language), styles.theme.secondary))
        }
        if let recurrence = entry.recurrence?.value {
            chips.append(StyledText("↻ " + DayText.text(recurrence)(language), styles.theme.secondary))
        }
        chips += entry.projects.map { StyledText("+\($0)", styles.project) }
        chips += entry.contexts.map { StyledText("@\($0)", styles.context) }
        chips += entry.tags.map { StyledText("#\($0)", styles.tag) }
        if let parent = entry.parent?.value { chips.append(StyledText("↳ \(parent)", styles.theme.secondary)) }
        return chips
    }

    override func draw(in canvas: Canvas) {
        var x = 1
        if hasProblem, let problem = parts.first, problem.width > bounds.width - 2, bounds.height > 1 {
            for (y, line) in TextLayout.wrap(problem.text, width: bounds.width - 2, limit: 2).enumerated() {
                canvas.text(line, x: 1, y: y, style: problem.style)
            }
            return
        }
        for part in parts where x < bounds.width - 1 {
            x = canvas.text(TextLayout.truncate(part.text, to: bounds.width - 1 - x), x: x, y: 0, style: part.style) + 1
        }
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind,
            let word = completions.first(where: { $0.columns.contains(event.location.x) })?.word
        else { return false }
        onComplete?(word)
        return true
    }
}

/// The completion of the last word of a line, if it begins with the sign of a project, a context or a label.
struct WordCompletion {
    /// The words that the last word can become, with their sign, the most frequent first; never empty.
    let candidates: [String]
    private let head: String

    /// Creates the completion of a line; `nil` if there is none.
    init?(_ line: String, names: TodoNames) {
        let word = line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
        let candidates = names.completions(of: word)
        guard !candidates.isEmpty else { return nil }
        self.candidates = candidates
        head = String(line.dropLast(word.count))
    }

    /// Returns the line with a candidate in place of its last word, and a space after it.
    func line(with word: String) -> String { head + word + " " }
}
