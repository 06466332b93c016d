/// How days are written, and with which day a week begins.
package struct DateStyle: Sendable, Hashable {
    /// A form of dates that are not near enough to have a name such as tomorrow.
    package enum Format: String, Sendable, CaseIterable {
        /// As the language writes them: `24 Dec`, `12월 24일`.
        case words
        /// `2026-12-24`.
        case iso
        /// `24.12.2026`.
        case dmy
        /// `12/24/2026`.
        case mdy
    }

    /// The day with which a week begins.
    package enum Weekday: String, Sendable, CaseIterable {
        case monday, saturday, sunday

        /// The number of the day, 0 for Monday to 6 for Sunday.
        package var number: Int {
            switch self {
            case .monday: 0
            case .saturday: 5
            case .sunday: 6
            }
        }
    }

    /// The form of dates.
    package var format = Format.words
    /// The day with which a week begins.
    package var firstWeekday = Weekday.monday

    /// Creates the default style: dates in words, and weeks from Monday on.
    package init() {}
}
