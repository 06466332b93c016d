/// A command: its words, what it takes and what it says of itself.
struct CommandDefinition: Sendable {
    /// What a command does, by name; the parser knows no more of it.
    enum Verb: String, Sendable, CaseIterable {
        case screen
        case list
        case add
        case edit
        case done
        case undone
        case remove
        case undo
        case redo
        case archive
        case picture
        case breeds
        case doctor
        case screenshot
    }

    /// How many operands a command takes.
    enum Operands: Sendable, Hashable {
        /// None at all.
        case none
        /// One or more.
        case some(String)
    }

    /// What it does.
    let verb: Verb
    /// Its words: `["todo", "add"]`.
    let words: [String]
    /// The operands it takes.
    let operands: Operands
    /// Its own options; the global ones come on top.
    let options: [CommandOption]
    /// What it does, in a few words.
    let summary: String
    /// Lines to try, without the program's name.
    let examples: [String]

    /// How it is written, without the program's name: words, operands and options, each to stay on one line.
    var usage: [String] {
        var parts = words
        if case .some(let name) = operands { parts.append(name) }
        parts += options.map { "[\($0.usage)]" + ($0.isRepeatable ? "..." : "") }
        return parts
    }
}
