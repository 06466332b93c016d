import TerminalUI
import TodoCore

/// The styles of the parts of a todo, from the theme. Without colours, signs and attributes distinguish them.
@MainActor
struct TodoStyles {
    let theme: Theme

    /// The style of a priority: the first three letters have colours.
    func priority(_ priority: Priority) -> TextStyle {
        switch priority.rank {
        case 0: bold(theme.error)
        case 1: bold(theme.warning)
        case 2: bold(theme.success)
        default: TextStyle(attributes: .bold)
        }
    }

    /// The style of a project.
    var project: TextStyle { TextStyle(foreground: theme.isMonochrome ? .standard : theme.tint, attributes: .bold) }
    /// The style of a context.
    var context: TextStyle { theme.isMonochrome ? .plain : theme.success }
    /// The style of a label.
    var tag: TextStyle { theme.isMonochrome ? .plain : theme.warning }
    /// The style of the due day of an overdue todo, which also has the sign ``overdueSign``.
    var overdue: TextStyle { bold(theme.error) }
    /// The style of the due day of a todo that is due today.
    var today: TextStyle { bold(theme.warning) }
    /// The style of any other day.
    var day: TextStyle { theme.secondary }
    /// Returns the style of a due day.
    func day(_ urgency: Urgency) -> TextStyle {
        switch urgency {
        case .overdue: overdue
        case .today: today
        case .thisWeek: theme.text
        case .later: day
        }
    }
    /// The style of an invalid field.
    var problem: TextStyle { bold(theme.error) }
    /// The style of the keys in a line.
    var key: TextStyle { TextStyle(foreground: theme.isMonochrome ? .standard : theme.tint, attributes: .bold) }

    /// The sign before the due day of an overdue todo.
    nonisolated static let overdueSign = "!"

    /// The sign of a todo that is in progress.
    nonisolated static let activeSign = "►"

    /// The sign of a todo that waits for another one.
    nonisolated static let blockedSign = "⊘"

    /// How soon a todo is due. A sign distinguishes the cases also without colours.
    enum Urgency: Hashable {
        case overdue, today, thisWeek, later

        /// Creates the urgency of a day: this week are the six days after the present one.
        init(due: Day, isOverdue: Bool, today: Day) {
            switch due.number - today.number {
            case _ where isOverdue: self = .overdue
            case ...0: self = .today
            case 1...6: self = .thisWeek
            default: self = .later
            }
        }

        /// The sign before the day, of one column.
        var sign: String {
            switch self {
            case .overdue: TodoStyles.overdueSign
            case .today: "•"
            case .thisWeek: "›"
            case .later: " "
            }
        }
    }

    private func bold(_ style: TextStyle) -> TextStyle {
        var style = style
        style.attributes.insert(.bold)
        return style
    }
}

/// A text with a style, as a part of a line.
struct StyledText {
    let text: String
    let style: TextStyle

    init(_ text: String, _ style: TextStyle) { (self.text, self.style) = (text, style) }

    /// The width in columns.
    var width: Int { DisplayWidth.of(text) }
}

extension Canvas {
    /// Draws the parts of a line with one space between them up to a column, and returns the column of the next part.
    @discardableResult
    func text(_ parts: [StyledText], from start: Int, to end: Int, y: Int) -> Int {
        var x = start
        for part in parts where x < end {
            x = text(TextLayout.truncate(part.text, to: end - x), x: x, y: y, style: part.style) + 1
        }
        return x
    }
}

extension [StyledText] {
    /// The width in columns of the parts with one space between them.
    var width: Int { reduce(Swift.max(0, count - 1)) { $0 + $1.width } }
}
