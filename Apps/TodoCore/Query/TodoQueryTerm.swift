/// A condition of a query.
///
/// Days and times that are missing have values outside of every range.
enum TodoQueryTerm: Hashable, Sendable {
    /// A field with a time.
    enum TimeField: String, Hashable, Sendable { case created, modified, completed = "done" }

    /// The title, the note or a label contains the text, which is in lower case.
    case text([UInt8])
    /// A field contains the text, which is in lower case.
    case field(TodoRow.Field, [UInt8])
    /// A label begins with the text, which is in lower case.
    case label(TodoRow.Field, [UInt8])
    /// The list has the name, which is in lower case.
    case list([UInt8])
    /// A project is the text, which is in lower case, or a part of it, as `home.kitchen` is of `home`.
    case project([UInt8])
    case flag(TodoRow.Flags)
    /// None of the flags is set.
    case without(TodoRow.Flags)
    case priority(ClosedRange<UInt8>)
    /// A range of day numbers, with both ends.
    case due(ClosedRange<Int32>)
    case threshold(ClosedRange<Int32>)
    /// A range of times in seconds after the reference date, without its end.
    case time(TimeField, Range<Double>)
    /// The ID begins with the text.
    case id(String)
    /// The ID is one of these.
    case ids(Set<TodoID>)
    /// The ID of the parent begins with the text.
    case parent(String)
    /// It is open and was due before a time of a day.
    case overdue(Day, TimeOfDay?)
    /// It is open and its threshold is after a day.
    case waiting(Day)

    /// The days of the calendar.
    static let anyDay: ClosedRange<Int32> = -10_000_000...10_000_000

    /// Excludes the rows that do not match.
    ///
    /// - Parameters:
    ///   - mask: whether each row is included.
    ///   - rows: the rows.
    ///   - texts: the texts of all rows.
    ///   - isInOrder: whether the texts are in the order of the rows, without gaps.
    func narrow(
        _ mask: inout [Bool],
        _ rows: UnsafeBufferPointer<TodoRow>,
        _ texts: UnsafeRawBufferPointer,
        isInOrder: Bool
    ) {
        guard let first = rows.baseAddress else { return }
        // A row is read by its address: a copy retains its texts, which takes most of the time of a search.
        @inline(__always)
        func keep(_ isMatch: (UnsafePointer<TodoRow>) -> Bool) {
            for index in mask.indices where mask[index] { mask[index] = isMatch(first + index) }
        }
        @inline(__always)
        func keepTexts(_ field: TodoRow.Field, _ isMatch: (_ text: Range<Int>) -> Bool) {
            keep { TodoRow.contains(field, texts, $0.pointee.text, where: isMatch) }
        }
        switch self {
        case .text(let needle):
            // A mark or the end of a text is no part of any text.
            if needle.contains(where: { $0 <= TodoRow.Field.last }) {
                keep { _ in false }
            } else if isInOrder, !needle.isEmpty {
                TodoRow.narrow(&mask, to: needle, rows, texts)
            } else {
                keep { needle.isEmpty || TodoRow.find(needle, texts, $0.pointee.text) != nil }
            }
        case .field(let field, let needle): keepTexts(field) { TodoRow.find(needle, texts, $0) != nil }
        case .label(let field, let start): keepTexts(field) { Self.begins(texts[$0], with: start) }
        case .list(let name): keepTexts(.list) { $0.count == name.count && texts[$0].starts(with: name) }
        case .project(let name):
            keepTexts(.project) { range in
                texts[range].starts(with: name)
                    && (range.count == name.count || texts[range.lowerBound + name.count] == UInt8(ascii: "."))
            }
        case .flag(let flag): keep { $0.pointee.flags.isSuperset(of: flag) }
        case .without(let flags): keep { $0.pointee.flags.isDisjoint(with: flags) }
        case .priority(let ranks): keep { ranks.contains($0.pointee.rank) }
        case .due(let days): keep { days.contains($0.pointee.due) }
        case .threshold(let days): keep { days.contains($0.pointee.threshold) }
        case .time(.created, let times): keep { times.contains($0.pointee.created) }
        case .time(.modified, let times): keep { times.contains($0.pointee.modified) }
        case .time(.completed, let times): keep { times.contains($0.pointee.completed) }
        case .id(let start): keep { $0.pointee.id.description.hasPrefix(start) }
        case .ids(let ids): keep { ids.contains($0.pointee.id) }
        case .parent(let start): keep { $0.pointee.parent?.description.hasPrefix(start) ?? false }
        case .overdue(let day, let time):
            let (day, minutes) = (day.number, time?.minutes ?? 0)
            keep {
                let (due, dueMinutes) = (Int($0.pointee.due), Int($0.pointee.dueMinutes))
                return !$0.pointee.flags.contains(.done) && (due < day || due == day && dueMinutes < minutes)
            }
        case .waiting(let day):
            let day = day.number
            keep { !$0.pointee.flags.contains(.done) && Int($0.pointee.threshold) > day }
        }
    }

    private static func begins(_ text: Slice<UnsafeRawBufferPointer>, with start: [UInt8]) -> Bool {
        guard text.starts(with: start) else { return false }
        let rest = text.dropFirst(start.count)
        // A letter may have a mark in the label and none in the query, which the bytes alone do not show.
        guard let next = rest.first, next >= 0x80 else { return true }
        return String(decoding: text, as: UTF8.self).hasPrefix(String(decoding: start, as: UTF8.self))
    }
}
