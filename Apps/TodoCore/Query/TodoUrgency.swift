import AppLanguage

/// How much todos matter at a time: a sum of terms, each a factor that the todo determines times a coefficient.
///
/// The terms and the default coefficients are those of taskwarrior 2.6, so that a todo has the same urgency in both:
///
/// | Term | Factor | Default |
/// |---|---|---|
/// | `next` | 1 with the label `#next` | 15 |
/// | `due` | 0.2 with a due day, rising from 14 days before the due time to 1 at 7 days after it | 12 |
/// | `blocking` | 1 if an open todo waits for it | 8 |
/// | `priorityA`, `priorityB`, `priorityC` | 1 with the priority A, B, or C to Z | 6, 3.9, 1.8 |
/// | `active` | 1 while it is in progress | 4 |
/// | `age` | its age in whole days, divided by `ageLimit`, at most 1 | 2 |
/// | `note` | 0.8, 0.9 or 1 for one, two or more lines of the note and annotations | 1 |
/// | `labels` | 0.8, 0.9 or 1 for one, two or more contexts, labels and further projects | 1 |
/// | `project` | 1 with a project | 1 |
/// | `waiting` | 1 while it is hidden until a later day | -3 |
/// | `blocked` | 1 while it waits for an open todo | -5 |
///
/// Days count from midnight and times by the clock on the wall: the day of a clock change counts as 24 hours.
public struct TodoUrgency: Hashable, Sendable {
    /// A part of the sum that is not zero.
    public struct Term: Hashable, Sendable {
        /// The name of the coefficient.
        public let name: String
        /// The factor, from 0 to 1.
        public let factor: Double
        /// The coefficient.
        public let coefficient: Double
        /// The product of both.
        public var value: Double { factor * coefficient }
    }

    var next = 15.0
    var due = 12.0
    var blocking = 8.0
    var priorityA = 6.0
    var priorityB = 3.9
    var priorityC = 1.8
    var active = 4.0
    var age = 2.0
    var note = 1.0
    var labels = 1.0
    var project = 1.0
    var waiting = -3.0
    var blocked = -5.0
    /// The age in days at which the factor of `age` is 1.
    var ageLimit = 365.0

    /// Creates the default coefficients.
    public init() {}

    /// Changes a coefficient.
    ///
    /// - Parameters:
    ///   - name: one of ``names``; another one changes nothing.
    ///   - value: the coefficient.
    /// - Throws: ``TodoFieldError`` for a value that is not from -10,000 to 10,000.
    package mutating func set(_ name: String, _ value: Double) throws(TodoFieldError) {
        let least = name == "ageLimit" ? 1.0 : -10_000
        guard (least...10_000).contains(value) else {
            throw TodoFieldError(
                LocalizedText("write a number from \(Int(least)) to 10000", ko: "\(Int(least))부터 10000까지의 수를 적어 주세요")
            )
        }
        if let path = Self.coefficients.first(where: { $0.name == name })?.path { self[keyPath: path] = value }
    }

    /// Returns a coefficient; 0 for a name that is not one of ``names``.
    package func value(_ name: String) -> Double {
        Self.coefficients.first { $0.name == name }.map { self[keyPath: $0.path] } ?? 0
    }

    /// The names of the coefficients.
    package static var names: [String] { coefficients.map(\.name) }

    private static var coefficients: [(name: String, path: WritableKeyPath<TodoUrgency, Double>)] {
        [
            ("next", \.next), ("due", \.due), ("blocking", \.blocking), ("priorityA", \.priorityA),
            ("priorityB", \.priorityB), ("priorityC", \.priorityC), ("active", \.active), ("age", \.age),
            ("note", \.note), ("labels", \.labels), ("project", \.project), ("waiting", \.waiting),
            ("blocked", \.blocked), ("ageLimit", \.ageLimit),
        ]
    }

    /// Calls `body` with each term of an open todo that is not zero.
    @inline(__always)
    fileprivate func forEachTerm(
        of row: TodoRow,
        _ order: TodoOrder,
        _ body: (_ name: StaticString, _ factor: Double, _ coefficient: Double) -> Void
    ) {
        if row.flags.contains(.next) { body("next", 1, next) }
        if row.due != .max {
            let time = row.dueMinutes == .max ? 0 : Double(row.dueMinutes) * 60
            let overdue = (order.local - Double(row.due) * 86_400 - time) / 86_400
            body("due", overdue >= 7 ? 1 : overdue >= -14 ? (overdue + 14) * 0.8 / 21 + 0.2 : 0.2, due)
        }
        if row.flags.contains(.blocking) { body("blocking", 1, blocking) }
        switch row.rank {
        case 0: body("priorityA", 1, priorityA)
        case 1: body("priorityB", 1, priorityB)
        case .max: break
        default: body("priorityC", 1, priorityC)
        }
        if row.flags.contains(.active) { body("active", 1, active) }
        let days = ((order.seconds - row.created) / 86_400).rounded(.towardZero)
        if days > 0 { body("age", min(1, days / ageLimit), age) }
        if row.noteCount > 0 { body("note", Self.factor(row.noteCount), note) }
        if row.labelCount > 0 { body("labels", Self.factor(row.labelCount), labels) }
        if row.flags.contains(.project) { body("project", 1, project) }
        if row.threshold > order.today { body("waiting", 1, waiting) }
        if row.flags.contains(.blocked) { body("blocked", 1, blocked) }
    }

    private static func factor(_ count: UInt8) -> Double { count == 1 ? 0.8 : count == 2 ? 0.9 : 1 }
}

/// The display order of todos at one time: open ones by urgency, the most urgent first, then completed ones, the last
/// completed first.
public struct TodoOrder: Hashable, Sendable {
    /// The coefficients.
    public let urgency: TodoUrgency
    /// The time in seconds after the reference date.
    let seconds: Double
    /// The time.
    public var date: Date { Date(timeIntervalSinceReferenceDate: seconds) }
    /// The time on the wall in seconds since 1970-01-01 0:00.
    let local: Double
    /// The number of the day.
    let today: Int32

    /// Creates the order at the present time of a clock.
    public init(_ urgency: TodoUrgency = TodoUrgency(), clock: TodoClock = TodoClock()) {
        self.urgency = urgency
        let now = clock.now()
        seconds = now.timeIntervalSinceReferenceDate
        let whole = Int(now.timeIntervalSince1970.rounded(.down))
        local = Double(whole + clock.zone.offset(at: whole))
        today = Int32(clamping: Day(now, in: clock.zone).number)
    }

    /// Returns the terms of a todo that are not zero; none if it is completed.
    func terms(of row: TodoRow) -> [TodoUrgency.Term] {
        guard !row.flags.contains(.done) else { return [] }
        var terms: [TodoUrgency.Term] = []
        urgency.forEachTerm(of: row, self) { name, factor, coefficient in
            terms.append(TodoUrgency.Term(name: "\(name)", factor: factor, coefficient: coefficient))
        }
        return terms
    }

    /// Returns a number that is less for a todo that is more urgent. Differences below 1/10,000 are none, so that the due
    /// time to the minute decides, and rounding errors do not.
    fileprivate func key(of row: TodoRow) -> UInt32 {
        // At most eleven terms of 10,000 each.
        sum(of: row).map { UInt32(2_000_000_000 - ($0 * 10_000).rounded()) } ?? .max
    }

    /// Returns the sum of the terms of a todo; `nil` if it is completed.
    func sum(of row: TodoRow) -> Double? {
        guard !row.flags.contains(.done) else { return nil }
        var sum = 0.0
        urgency.forEachTerm(of: row, self) { sum += $1 * $2 }
        return sum
    }

    /// Returns indices of rows in this order. `indices` is in the order of the rows themselves, which decides between equal
    /// ones.
    func sorted(_ indices: [Int], of rows: [TodoRow]) -> [Int] {
        // Sorting numbers of 64 bits takes a fifth of the time of sorting by a comparison of rows.
        var keys = indices.enumerated().map { place, index in UInt64(key(of: rows[index])) << 32 | UInt64(place) }
        keys.sort()
        return keys.map { indices[Int($0 & 0xFFFF_FFFF)] }
    }
}
