public import LocalProvider
import TextEscaping

/// An error of the todo model or its store.
public enum TodoError: Error, Sendable {
    /// The title is empty or consists of white space.
    case emptyTitle
    /// A text has more characters than its field can hold.
    case tooLong(field: String, limit: Int)
    /// A text contains a control character or a mark that changes the direction of text. The line and the column, in
    /// characters, count from 1.
    case controlCharacter(field: String, scalar: UnicodeScalar, line: Int, column: Int)
    /// A project or a context contains white space.
    case notOneWord(field: String, text: String)
    /// A todo has more projects, contexts or labels than it can hold.
    case tooMany(field: String, limit: Int)
    /// The name of a project, a context or a label begins with the sign of one.
    case signInName(field: String, text: String)
    /// A threshold such as `t:-2d` counts from a due day, and there is none.
    case noDueDay
    /// The todo cannot be a part of this one, because this one is a part of it.
    case parentCycle(id: TodoID)
    /// The todo has a rule of repetition of another program, for which no next todo can be computed.
    case unknownRule(id: TodoID, rule: String)
    /// A todo would wait for itself, through these todos.
    case dependencyCycle(path: [TodoID])
    /// A change of a batch, counted from 0, is invalid; nothing was changed.
    indirect case inBatch(index: Int, TodoError)
    /// A batch cannot contain another one.
    case nestedBatch
    /// No todo has an ID that begins with this name.
    case notFound(name: String)
    /// Several todos have IDs that begin with this name.
    case ambiguous(name: String, candidates: [TodoID])
    /// There is no change to undo.
    case nothingToUndo
    /// There is no change to redo.
    case nothingToRedo
    /// The change to undo was made by another program, which is running.
    case changedByOther(summary: String, process: String)
    /// Another change was made after the one to undo.
    case laterChange(summary: String, later: String)
    /// A todo of the change to undo was changed again.
    case changedSince(summary: String)
    /// The change to undo is already undone, or no longer in the history.
    case stepIsGone(summary: String)
    /// Another change has set these fields of the todo to other values.
    case changedElsewhere(fields: [String])
    /// The history has no such step of this todo.
    case noVersion(id: TodoID, number: Int)
    /// There is neither a built-in view nor a saved query of this name.
    case noView(name: String)
    /// There is no saved query of this name.
    case noQuery(name: String)
    /// A hook has refused the change, for this reason.
    case refused(hook: String, reason: String)
    /// A hook could not review the change.
    case hookFailed(hook: String, TodoHookFailure)
    /// The file of the todos could not be read or written.
    case storage(LocalError)
}

/// Why a hook could not review a change.
public enum TodoHookFailure: Hashable, Sendable {
    /// It cannot be started.
    case notStarted
    /// It did not end in this number of seconds.
    case timeLimit(seconds: Int)
    /// Its output is longer than this number of bytes.
    case outputLimit(bytes: Int)
    /// It has written another number of lines than it has read.
    case lineCount(expected: Int, found: Int)
    /// A line of its output, counted from 1, is not the todo.
    case invalidLine(number: Int, message: String)
}

extension TodoError: CustomStringConvertible {
    /// What failed, and what to do about it.
    public var description: String {
        switch self {
        case .emptyTitle: "the title is empty; say what is to be done"
        case .tooLong(let field, let limit):
            "the \(field) is longer than \(limit) characters; shorten it, or move the rest to the note"
        case .controlCharacter(let field, let scalar, let line, let column):
            "the \(field) contains the control character "
                + "U+\(Hexadecimal.string(of: scalar.value, digits: 4, uppercase: true)) in "
                + (line > 1 ? "line \(line), " : "") + "column \(column); remove it and try again"
        case .notOneWord(let field, let text):
            "the \(field) \(text.quoted()) contains a space; write it as one word, such as \(Self.joined(text).quoted())"
        case .tooMany(let field, let limit):
            "the todo has more than \(limit) values of the field \(field.quoted()); remove some"
        case .signInName(let field, let text):
            "the \(field) \(text.quoted()) begins with +, @ or #, the signs of projects, contexts and tags; write the name alone"
        case .noDueDay: "a threshold such as t:-2d counts from a due day; add due: with a day"
        case .parentCycle(let id):
            "the todo \(id) cannot be its own parent, directly or through others; choose another parent"
        case .dependencyCycle(let path):
            "a todo cannot wait for itself: " + path.map(\.description).joined(separator: " after ")
                + "; remove one of these dependencies first, with `todo edit ID --not-after ID`"
        case .inBatch(let index, let error): "change \(index + 1): \(error); nothing was changed"
        case .nestedBatch: "a batch cannot contain another one; write its lines one by one"
        case .unknownRule(let id, let rule):
            "\(id) repeats by the rule \(rule.quoted()), for which no next todo can be computed; "
                + "`todo edit \(id) rec:1w` gives it another repetition, rec:none removes it"
        case .notFound(let name): "there is no todo \(name.quoted()); `todo list --all` shows every ID"
        case .ambiguous(let name, let candidates):
            "\(name.quoted()) could be \(candidates.map(\.description).joined(separator: ", ")); type one more character"
        case .nothingToUndo: "there is nothing to undo"
        case .nothingToRedo: "there is nothing to redo"
        case .changedByOther(let summary, let process):
            "\(process.escapingControls()) made the last change, \(summary.escapingControls()), and is running; "
                + "undo it there, or add --force"
        case .laterChange(let summary, let later):
            "\(summary.escapingControls()) is not the last change: \(later.escapingControls()) came after it"
        case .changedSince(let summary):
            "\(summary.escapingControls()) cannot be undone: the todo was changed again; edit it instead"
        case .stepIsGone(let summary):
            "\(summary.escapingControls()) cannot be undone: it is undone already, or too many changes came after it"
        case .changedElsewhere(let fields):
            "\(fields.joined(separator: ", ")) was changed by another process; look at the todo again before you save"
        case .noVersion(let id, let number):
            "the history has no change \(number) of the todo \(id); `todo log \(id)` lists its changes"
        case .noView(let name):
            "there is no view \(name.quoted()); `todo view` lists them, and `todo query NAME QUERY` saves another one"
        case .noQuery(let name): "there is no saved query \(name.quoted()); `todo query` lists them"
        case .refused(let hook, let reason):
            reason.isEmpty
                ? "\(hook.quoted()) has refused the change without a reason; nothing was changed"
                : "\(reason.escapingControls(limit: 500)) (refused by \(hook.quoted()); nothing was changed)"
        case .hookFailed(let hook, let failure):
            "\(hook.quoted()) \(failure.description); nothing was changed. Mend the hook, or make it not executable"
        case .storage(let error): error.description
        }
    }

    private static func joined(_ text: String) -> String { String(text.map { $0.isWhitespace ? "-" : $0 }) }
}

extension TodoHookFailure: CustomStringConvertible {
    /// What the hook did.
    public var description: String {
        switch self {
        case .notStarted: "cannot be started"
        case .timeLimit(let seconds): "did not end in \(seconds) seconds"
        case .outputLimit(let bytes): "wrote more than \(bytes) bytes"
        case .lineCount(let expected, let found): "read \(expected) lines and wrote \(found)"
        case .invalidLine(let number, let message):
            "wrote a line \(number) that is not the todo (\(message.escapingControls(limit: 200)))"
        }
    }
}
