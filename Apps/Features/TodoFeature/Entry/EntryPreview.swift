import AppLanguage
import NeedleKit
import TerminalUI
import TodoCore

/// A line below the field for new todos: what the typed line means, as chips.
///
/// What looks like a field but is not one, such as `due:2026-02-30`, is reported before the line is entered.
@MainActor
final class EntryPreview: View {
    /// The parts of the line.
    private(set) var parts: [StyledText] = []
    /// Whether the line contains what looks like a field but is not one.
    private var hasProblem = false

    override init() {
        super.init()
        layoutNode.collapsesWhenHidden = true
        layoutNode.verticalHugging = .required
        isHidden = true
    }

    /// One row; two for a problem, whose text is long.
    override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: nil, height: hasProblem ? 2 : 1) }

    override var plainText: [String] { parts.isEmpty ? [] : [parts.map(\.text).joined(separator: " ")] }

    /// Shows the meaning of a line, and returns whether it contains what looks like a field but is not one. While a word is being
    /// completed, that is no problem.
    @discardableResult
    func show(
        _ line: String,
        isCompleting: Bool = false,
        today: Day,
        language: AppLanguage,
        dates: DateStyle = DateStyle(),
        snapshot: TodoSnapshot? = nil
    ) -> Bool {
        let hadProblem = hasProblem
        defer { if hasProblem != hadProblem { invalidateIntrinsicContentSize() } }
        let styles = TodoStyles(theme: theme)
        do throws(TodoError) {
            let entry = try TodoEntry(parsing: line, today: today, firstWeekday: dates.firstWeekday.number)
            let links = Self.links(entry, snapshot, language: language, styles: styles)
            let invalid = entry.problems.map { StyledText("! " + $0.explanation(language), styles.problem) }
            let problems = isCompleting ? [] : links.problems + invalid
            hasProblem = !problems.isEmpty
            parts = problems + Self.chips(entry, today: today, dates, language: language, styles: styles) + links.chips
        } catch {
            hasProblem = true
            parts = [StyledText(error.text(language), styles.problem)]
        }
        setNeedsDisplay()
        return hasProblem
    }

    /// Returns the meaning of an entry's fields.
    static func chips(
        _ entry: TodoEntry,
        today: Day,
        _ dates: DateStyle,
        language: AppLanguage,
        styles: TodoStyles
    ) -> [StyledText] {
        var chips: [StyledText] = []
        if let priority = entry.priority?.value { chips.append(StyledText("(\(priority))", styles.priority(priority))) }
        if let due = entry.due?.value {
            let text = DayText.text(due, entry.dueTime, today: today, style: dates)
            chips.append(StyledText("▸ " + text(language), styles.today))
        }
        if let threshold = entry.threshold?.value, let day = threshold.day(due: entry.due?.value) {
            chips.append(
                StyledText(DayText.hidden(until: day, today: today, style: dates)(language), styles.theme.secondary)
            )
        }
        if let recurrence = entry.recurrence?.value {
            chips.append(StyledText("↻ " + DayText.text(recurrence, style: dates)(language), styles.theme.secondary))
        }
        chips += entry.projects.map { StyledText("+\($0)", styles.project) }
        chips += entry.contexts.map { StyledText("@\($0)", styles.context) }
        chips += entry.tags.map { StyledText("#\($0)", styles.tag) }
        return chips
    }

    /// Returns the todos that an entry names: its parent and those for which it waits.
    private static func links(
        _ entry: TodoEntry,
        _ snapshot: TodoSnapshot?,
        language: AppLanguage,
        styles: TodoStyles
    ) -> (problems: [StyledText], chips: [StyledText]) {
        var result: (problems: [StyledText], chips: [StyledText]) = ([], [])
        func add(_ sign: String, _ name: String) {
            do throws(TodoError) {
                let title = TextLayout.truncate(try snapshot?.todo(named: name).title ?? name, to: 24)
                result.chips.append(StyledText("\(sign) \(title)", styles.theme.secondary))
            } catch {
                result.problems.append(StyledText("! " + error.text(language), styles.problem))
            }
        }
        if let parent = entry.parent?.value { add("↳", parent) }
        for name in entry.after { add("⊘", name) }
        return result
    }

    override func draw(in canvas: Canvas) {
        if hasProblem, let problem = parts.first, problem.width > bounds.width - 2, bounds.height > 1 {
            for (y, line) in TextLayout.wrap(problem.text, width: bounds.width - 2, limit: 2).enumerated() {
                canvas.text(line, x: 1, y: y, style: problem.style)
            }
            return
        }
        canvas.text(parts, from: 1, to: bounds.width - 1, y: 0)
    }
}
