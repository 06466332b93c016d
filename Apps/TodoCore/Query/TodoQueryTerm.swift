/// A condition of a query.
///
/// Days and times that are missing have values outside of every range.
enum TodoQueryTerm: Hashable, Sendable {
    /// A field with a time.
    enum TimeField: String, Hashable, Sendable {
        case created, modified, completed = "done"
    }

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

    /// Whether a todo matches, by its row and the texts of all rows.
    func matches(_ row: TodoRow, _ texts: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .text(let needle): row.contains(needle, texts)
        case .field(let field, let needle):
            row.contains(field, texts) { TodoRow.find(needle, texts, $0) != nil }
        case .label(let field, let start):
            row.contains(field, texts) { Self.begins(texts[$0], with: start) }
        case .list(let name): row.contains(.list, texts) { $0.count == name.count && texts[$0].starts(with: name) }
        case .project(let name):
            row.contains(.project, texts) { range in
                texts[range].starts(with: name)
                    && (range.count == name.count || texts[range.lowerBound + name.count] == UInt8(ascii: "."))
            }
        case .flag(let flag): row.flags.isSuperset(of: flag)
        case .without(let flags): row.flags.isDisjoint(with: flags)
        case .priority(let ranks): ranks.contains(row.rank)
        case .due(let days): days.contains(row.due)
        case .threshold(let days): days.contains(row.threshold)
        case .time(.created, let times): times.contains(row.created)
        case .time(.modified, let times): times.contains(row.modified)
        case .time(.completed, let times): times.contains(row.completed)
        case .id(let start): row.id.description.hasPrefix(start)
        case .ids(let ids): ids.contains(row.id)
        case .parent(let start): row.parent?.description.hasPrefix(start) ?? false
        case .overdue(let day, let time):
            !row.flags.contains(.done)
                && (row.due < day.number || row.due == day.number && row.dueMinutes < time?.minutes ?? 0)
        case .waiting(let day): !row.flags.contains(.done) && row.threshold > day.number
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
