import AppLanguage
import TerminalUI
import TodoCore

/// The fields that a change of the history has changed, as people read them.
struct TodoDifferenceText {
    /// The details, with the present day, the style of dates and the titles of related todos.
    let model: TodoDetailModel
    let language: AppLanguage

    /// The largest width of a value in cells.
    private static let width = 40
    /// The number of equal characters before the first different one that are shown if the text before them is omitted.
    private static let context = 12

    /// Returns a line for each field that differs: `title: walk → run`.
    func lines(_ version: TodoLogEntry.Version) -> [String] {
        version.differences.map { difference in
            let (before, after) = Self.parts(
                value(of: difference.field, difference.before, in: version.before) ?? TodoDetailText.none(language),
                value(of: difference.field, difference.after, in: version.after) ?? TodoDetailText.none(language)
            )
            let change = before == after ? TodoDetailText.changed(language) : "\(before) → \(after)"
            return "\(TodoFieldText.name(difference.field)(language)): \(change)"
        }
    }

    /// Returns the value of a field as the details show it; `nil` for none.
    private func value(of field: String, _ text: String?, in todo: Todo?) -> String? {
        switch field {
        case "done", "archived": (text == nil ? TodoDetailText.no : TodoDetailText.yes)(language)
        case "due": todo?.due.map { dayText($0, todo?.dueTime) }
        case "threshold": todo?.threshold.map { dayText($0) }
        case "recurrence": todo?.recurrence.map { DayText.text($0, style: model.dates)(language) }
        case "started": todo?.started.map { DayText.text($0, today: model.today, style: model.dates)(language) }
        case "spent": text == nil ? nil : todo.map { DayText.duration($0.spent)(language) }
        case "parent": todo?.parent.map { model.parents[$0] ?? $0.description }
        // Another program knows a todo by its UUID, which says nothing to people.
        case "dependencies":
            text == nil ? nil : todo?.dependencies.map { model.names[$0] ?? $0.text }.joined(separator: ", ")
        default: text
        }
    }

    private func dayText(_ day: Day, _ time: TimeOfDay? = nil) -> String {
        DayText.text(day, time, today: model.today, style: model.dates)(language)
    }

    /// Returns the parts of two texts in which they differ, each in one line: the first lines that differ, without most of their
    /// common beginning if they are long. An ellipsis replaces what is omitted.
    private static func parts(_ before: String, _ after: String) -> (before: String, after: String) {
        let (old, new) = (before.split(separator: "\n"), after.split(separator: "\n"))
        let common = zip(old, new).prefix { $0 == $1 }.count
        let lines = [old, new].map { Array($0.dropFirst(common).first ?? "…") }
        var start = 0
        if lines.contains(where: { TextLayout.truncate(String($0), to: width) != String($0) }) {
            start = self.start(of: zip(lines[0], lines[1]).prefix { $0 == $1 }.count, in: lines[0])
        }
        let parts = lines.map {
            TextLayout.truncate((start > 0 ? "…" : "") + String($0.dropFirst(start)), to: width)
        }
        return (parts[0], parts[1])
    }

    /// Returns where a text is shown from that has a number of common characters: at a word, if there is one in the context.
    private static func start(of common: Int, in text: [Character]) -> Int {
        let first = common - context
        guard first > 0 else { return 0 }
        return text[(first - 1)..<common].firstIndex(of: " ").map { $0 + 1 } ?? first
    }
}
