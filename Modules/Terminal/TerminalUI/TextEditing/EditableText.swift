/// The text, caret, selection and undo history of a text control, counted in grapheme clusters: a Hangul syllable or a
/// family emoji is one step.
struct EditableText: Sendable {
    private(set) var characters: [Character]
    /// The number of clusters before the caret.
    private(set) var cursor: Int
    /// The other end of the selection; `nil` without one.
    private(set) var anchor: Int?
    /// Increases with each change of the text.
    private(set) var revision = 0
    /// Whether the whole text is one word, so that neither movements nor undo tell where the words of a password end.
    var isOneWord: Bool
    private(set) var history = EditHistory()

    init(_ text: String = "", isOneWord: Bool = false) {
        self.isOneWord = isOneWord
        characters = Array(text)
        cursor = characters.count
    }

    var text: String { String(characters) }

    /// The selected clusters; `nil` without a selection.
    var selection: Range<Int>? {
        guard let anchor, anchor != cursor else { return nil }
        return min(anchor, cursor)..<max(anchor, cursor)
    }

    /// The selected text; empty without a selection.
    var selectedText: String { selection.map { String(characters[$0]) } ?? "" }

    // MARK: - Changes

    /// Inserts text in place of the selection. Scalars that combine with their neighbours form one cluster with them.
    mutating func insert(_ text: String, isTyped: Bool = false) {
        replace(selection ?? cursor..<cursor, with: text, isTyped: isTyped)
    }

    /// Deletes a range, or the selection if there is one.
    mutating func delete(_ range: Range<Int>) {
        let range = selection ?? range.clamped(to: 0..<characters.count)
        if !range.isEmpty { replace(range, with: "", isTyped: false) }
    }

    /// Replaces a range with text, with the caret behind it.
    mutating func replace(_ range: Range<Int>, with text: String, isTyped: Bool = false) {
        let range = range.clamped(to: 0..<characters.count)
        // Clusters may combine with the one before them, and with those after them up to the first one that stays as it is:
        // what precedes a cluster has no influence on those behind it. Regional indicators combine in pairs, so that all of a
        // row may change.
        let low = max(0, range.lowerBound - 1)
        var high = range.upperBound
        var inserted = Array(String(characters[low..<range.lowerBound]) + text)
        let end = low + inserted.count
        while let last = inserted.last, high < characters.count {
            let joined = Array(String([last, characters[high]]))
            if joined == [last, characters[high]] { break }
            inserted.replaceSubrange((inserted.count - 1)..., with: joined)
            high += 1
        }
        let edit = EditHistory.Edit(
            start: low,
            removed: Array(characters[low..<high]),
            inserted: inserted,
            cursorBefore: cursor,
            cursorAfter: end
        )
        characters.replaceSubrange(low..<high, with: edit.inserted)
        cursor = min(characters.count, edit.cursorAfter)
        anchor = nil
        revision += 1
        let isInWord = text.first.map { !isSpace($0) } ?? false
        history.record(edit, joinsPrevious: isTyped && range.isEmpty && isInWord)
    }

    /// Undoes the last change; returns false if there is none.
    mutating func undo() -> Bool {
        guard let edits = history.undo() else { return false }
        for edit in edits {
            characters.replaceSubrange(edit.start..<edit.start + edit.inserted.count, with: edit.removed)
            cursor = edit.cursorBefore
        }
        anchor = nil
        revision += 1
        return true
    }

    /// Repeats the last change that was undone; returns false if there is none.
    mutating func redo() -> Bool {
        guard let edits = history.redo() else { return false }
        for edit in edits {
            characters.replaceSubrange(edit.start..<edit.start + edit.removed.count, with: edit.inserted)
            cursor = min(characters.count, edit.cursorAfter)
        }
        anchor = nil
        revision += 1
        return true
    }

    // MARK: - Movement

    /// Moves the caret; extends or begins the selection if `extends` is true, and otherwise removes it.
    mutating func move(to index: Int, extends: Bool = false) {
        if extends { anchor = anchor ?? cursor } else { anchor = nil }
        cursor = max(0, min(characters.count, index))
        history.endGroup()
    }

    /// Selects a range, with the caret at its end.
    mutating func select(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<characters.count)
        anchor = range.lowerBound
        cursor = range.upperBound
        history.endGroup()
    }

    private func isSpace(_ character: Character) -> Bool { !isOneWord && character.isWhitespace }

    /// The start of the word before an index.
    func wordStart(before index: Int) -> Int {
        var index = index
        while index > 0 && isSpace(characters[index - 1]) { index -= 1 }
        while index > 0 && !isSpace(characters[index - 1]) { index -= 1 }
        return index
    }

    /// The end of the word after an index.
    func wordEnd(after index: Int) -> Int {
        var index = index
        while index < characters.count && isSpace(characters[index]) { index += 1 }
        while index < characters.count && !isSpace(characters[index]) { index += 1 }
        return index
    }

    /// Returns the word, or the white space, around an index.
    func word(at index: Int) -> Range<Int> {
        guard !characters.isEmpty else { return 0..<0 }
        let index = max(0, min(index, characters.count - 1))
        let isGap = isSpace(characters[index])
        var low = index
        while low > 0 && isSpace(characters[low - 1]) == isGap { low -= 1 }
        var high = index
        while high < characters.count && isSpace(characters[high]) == isGap { high += 1 }
        return low..<high
    }

    /// The bounds of the line of the caret, between two line breaks.
    private var line: Range<Int> {
        let start = characters[..<cursor].lastIndex(where: \.isNewline).map { $0 + 1 } ?? 0
        return start..<(characters[cursor...].firstIndex(where: \.isNewline) ?? characters.count)
    }

    /// Performs a key's editing command; returns false for a key that edits nothing.
    ///
    /// Shift with a movement selects. Control or Alt with a horizontal arrow moves by a word. Control with A, E, U or K moves or
    /// deletes to an end of the line; at its end Control-K joins the next one.
    mutating func apply(_ key: Key) -> Bool {
        let extends = key.modifiers.contains(.shift)
        switch (key.code, key.modifiers.subtracting(.shift)) {
        case (.left, []): move(to: !extends ? selection?.lowerBound ?? cursor - 1 : cursor - 1, extends: extends)
        case (.right, []): move(to: !extends ? selection?.upperBound ?? cursor + 1 : cursor + 1, extends: extends)
        case (.character("b"), .control): move(to: cursor - 1)
        case (.character("f"), .control): move(to: cursor + 1)
        case (.left, .control), (.left, .alt), (.character("b"), .alt):
            move(to: wordStart(before: cursor), extends: extends)
        case (.right, .control), (.right, .alt), (.character("f"), .alt):
            move(to: wordEnd(after: cursor), extends: extends)
        case (.home, []), (.home, .control): move(to: 0, extends: extends)
        case (.end, []), (.end, .control): move(to: characters.count, extends: extends)
        case (.character("a"), .control): move(to: line.lowerBound)
        case (.character("e"), .control): move(to: line.upperBound)
        case (.character("a"), .alt): select(0..<characters.count)
        case (.backspace, []): delete(cursor - 1..<cursor)
        case (.delete, []), (.character("d"), .control): delete(cursor..<cursor + 1)
        case (.character("w"), .control), (.backspace, .alt), (.backspace, .control):
            delete(wordStart(before: cursor)..<cursor)
        case (.character("d"), .alt), (.delete, .control), (.delete, .alt):
            delete(cursor..<wordEnd(after: cursor))
        case (.character("u"), .control): delete(line.lowerBound..<cursor)
        case (.character("k"), .control): delete(cursor..<max(cursor + 1, line.upperBound))
        // Terminals send Ctrl-_ for Ctrl-/ as well; with the kitty protocol they are two keys.
        case (.character("_"), .control), (.character("/"), .control), (.character("z"), .alt): _ = undo()
        case (.character("y"), .control), (.character("Z"), .alt), (.character("y"), .alt): _ = redo()
        default: return false
        }
        return true
    }
}

/// The changes of a text that can be undone and repeated, at most ``limit`` of them.
struct EditHistory: Sendable {
    /// The maximum number of changes.
    static let limit = 1000

    /// A replacement of some clusters.
    struct Edit: Sendable {
        let start: Int
        let removed: [Character]
        let inserted: [Character]
        let cursorBefore: Int
        let cursorAfter: Int
        /// Edits of one group are undone together.
        var group = 0
        var isTyped = false
    }

    private(set) var done: [Edit] = []
    private var undone: [Edit] = []
    private var nextGroup = 0
    /// Whether the next change can join the last one.
    private var isGroupOpen = false

    /// Records a change. Characters that are typed one after the other are one change.
    mutating func record(_ edit: Edit, joinsPrevious: Bool) {
        var edit = edit
        edit.isTyped = joinsPrevious
        if joinsPrevious, isGroupOpen, let last = done.last, last.isTyped, last.cursorAfter == edit.cursorBefore {
            edit.group = last.group
        } else {
            nextGroup += 1
            edit.group = nextGroup
        }
        isGroupOpen = true
        undone = []
        done.append(edit)
        if done.count > EditHistory.limit { done.removeFirst(done.count - EditHistory.limit) }
    }

    /// Has the next change begin a group of its own, as after a movement of the caret.
    mutating func endGroup() { isGroupOpen = false }

    /// Returns the edits to reverse, in order; `nil` if there are none.
    mutating func undo() -> [Edit]? {
        endGroup()
        return EditHistory.take(from: &done, to: &undone)
    }

    /// Returns the edits to repeat, in order; `nil` if there are none.
    mutating func redo() -> [Edit]? {
        endGroup()
        return EditHistory.take(from: &undone, to: &done)
    }

    private static func take(from source: inout [Edit], to target: inout [Edit]) -> [Edit]? {
        guard let group = source.last?.group else { return nil }
        var edits: [Edit] = []
        while let edit = source.last, edit.group == group {
            source.removeLast()
            target.append(edit)
            edits.append(edit)
        }
        return edits
    }
}
