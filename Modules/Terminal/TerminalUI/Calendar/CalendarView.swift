public import NeedleKit

/// A month of days, for choosing one and for showing what happens on each.
///
/// The arrow keys move by a day and a week, Page Up and Page Down by a month (with Shift by a year), Home and End to the
/// ends of the month, and `t` to today. Enter or a click on the selected day activates it; the wheel changes the month.
/// In a large view each day has room for lines of text below its number; in a small one a badge beside the number shows
/// that there are some. Where there is no room between two days, every second one is underlined; in less than 14 columns only
/// the selected day is shown.
public final class CalendarView: Control {
    /// The selected day; its month is shown.
    public var selectedDay: CalendarDay { didSet { if selectedDay != oldValue { setNeedsDisplay() } } }
    /// The current day, which is emphasised; `nil` emphasises none.
    public var today: CalendarDay? { didSet { setNeedsDisplay() } }
    /// The first day of a week, 0 for Monday to 6 for Sunday.
    public var firstWeekday = 0 { didSet { setNeedsDisplay() } }
    /// The names of the days of the week from Monday; longer ones are truncated to the width of a day.
    public var weekdayNames = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"] { didSet { setNeedsDisplay() } }
    /// Returns the heading of a month, by default its English name and the year.
    public var monthTitle: (_ year: Int, _ month: Int) -> String = { CalendarView.englishTitle($0, $1) } {
        didSet { setNeedsDisplay() }
    }
    /// Returns the name of a day in the plain text, by default as in ISO 8601.
    public var dayName: (CalendarDay) -> String = { $0.description }
    /// Returns what is on a day; `nil` if there is nothing. Called for each visible day of a frame.
    public var content: ((CalendarDay) -> DayContent?)? { didSet { setNeedsDisplay() } }
    /// The days that can be selected; all by default.
    public var selectableDays: ClosedRange<CalendarDay>?
    /// Called when the user has selected another day.
    public var onSelect: ((CalendarDay) -> Void)?
    /// Called when Enter or a click on the selected day activates it.
    public var onActivate: ((CalendarDay) -> Void)?
    /// Called with each key before the calendar uses it. Returns whether the key was handled.
    public var onKey: ((Key) -> Bool)?

    /// What a calendar shows on a day.
    public struct DayContent: Hashable, Sendable {
        /// A short text beside the number, such as a count; truncated to the room beside it.
        public var badge: String
        /// The style of the badge; `nil` for the tint.
        public var badgeStyle: TextStyle?
        /// The lines below the number, where there is room.
        public var lines: [String]
        /// What is on the day, in words; `nil` for the lines, or the badge without lines.
        public var accessibilityLabel: String?

        /// Creates the content of a day.
        public init(
            badge: String = "•",
            badgeStyle: TextStyle? = nil,
            lines: [String] = [],
            accessibilityLabel: String? = nil
        ) {
            self.badge = badge
            self.badgeStyle = badgeStyle
            self.lines = lines
            self.accessibilityLabel = accessibilityLabel
        }
    }

    /// Creates a calendar that shows the month of a day.
    public init(selectedDay: CalendarDay, today: CalendarDay? = nil) {
        self.selectedDay = selectedDay
        self.today = today
        super.init()
        layoutNode.verticalHugging = .low
    }

    private nonisolated static func englishTitle(_ year: Int, _ month: Int) -> String {
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        return "\(names[max(0, min(11, month - 1))]) \(year)"
    }

    /// The smallest size that shows a month: 28 columns, and 8 rows for the heading, the names and six weeks.
    public override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: 28, height: 8) }

    /// The month, and each day of it on which there is something. The selected day begins with `>`.
    public override var plainText: [String] {
        let (year, month, _) = selectedDay.parts
        let days = (0..<selectedDay.daysInMonth).map { selectedDay.monthStart.adding(days: $0) }
        return [monthTitle(year, month)]
            + days.compactMap { day in
                let content = content?(day)
                guard content != nil || day == selectedDay else { return nil }
                let text = content.map { content in
                    content.accessibilityLabel
                        ?? (content.lines.isEmpty ? content.badge : content.lines.joined(separator: ", "))
                }
                return (day == selectedDay ? "> " : "  ") + dayName(day) + (text.map { ": \($0)" } ?? "")
            }
    }

    /// Moves the selection; Enter activates the selected day.
    public override func keyDown(_ key: Key) -> Bool {
        if onKey?(key) == true { return true }
        switch (key.code, key.modifiers) {
        case (.left, []): select(selectedDay.adding(days: -1))
        case (.right, []): select(selectedDay.adding(days: 1))
        case (.up, []): select(selectedDay.adding(days: -7))
        case (.down, []): select(selectedDay.adding(days: 7))
        case (.pageUp, []): select(selectedDay.adding(months: -1))
        case (.pageDown, []): select(selectedDay.adding(months: 1))
        case (.pageUp, .shift): select(selectedDay.adding(months: -12))
        case (.pageDown, .shift): select(selectedDay.adding(months: 12))
        case (.home, []): select(selectedDay.monthStart)
        case (.end, []): select(selectedDay.monthStart.adding(days: selectedDay.daysInMonth - 1))
        case (.character("t"), []):
            guard let today else { return false }
            select(today)
        case (.enter, []):
            guard let onActivate else { return false }
            onActivate(selectedDay)
        default: return false
        }
        return true
    }

    /// A click selects a day, or activates the selected one; the arrows of the heading and the wheel change the month.
    public override func mouse(_ event: MouseEvent) -> Bool {
        switch event.kind {
        case .wheelUp: select(selectedDay.adding(months: -1))
        case .wheelDown: select(selectedDay.adding(months: 1))
        case .down(.left) where isEnabled:
            let place = event.location
            if place.y == 0 {
                if place.x < 3 { select(selectedDay.adding(months: -1)) }
                if place.x >= grid.width - 3 && place.x < grid.width { select(selectedDay.adding(months: 1)) }
            } else if let day = day(at: place) {
                if day == selectedDay { onActivate?(day) } else { select(day) }
            }
        default: return false
        }
        return true
    }

    /// Draws the heading, the names of the days and the weeks of the month.
    public override func draw(in canvas: Canvas) {
        let grid = grid
        guard hasRoomForDays, bounds.height >= 2 else {
            let day = TextLayout.truncate(dayName(selectedDay), to: bounds.width)
            canvas.text(day, x: 0, y: 0, style: theme.text)
            return
        }
        drawHeading(canvas, grid)
        let month = selectedDay.parts.month
        for index in 0..<7 * weekCount {
            let day = firstVisibleDay.adding(days: index)
            let area = GridRect(
                x: index % 7 * grid.cell.width,
                y: 2 + index / 7 * grid.cell.height,
                width: grid.cell.width,
                height: grid.cell.height
            )
            guard area.minY < bounds.height else { break }
            draw(day, isInMonth: day.parts.month == month, in: area, canvas)
        }
    }
}

extension CalendarView {
    /// The size of a day and the width of a week.
    private struct Grid {
        let cell: GridSize
        var width: Int { cell.width * 7 }
    }

    private var grid: Grid {
        Grid(cell: GridSize(width: max(1, bounds.width / 7), height: max(1, (bounds.height - 2) / 6)))
    }

    private var hasRoomForDays: Bool { bounds.width >= 14 }

    /// Returns a style with which the text of a column is apart from that of the next one.
    private func separated(_ style: TextStyle, _ column: Int) -> TextStyle {
        var style = style
        if grid.cell.width < 3, !column.isMultiple(of: 2) { style.attributes.insert(.underline) }
        return style
    }

    /// The number of weeks from the first to the last day of the month. The height of a week is the same for every month.
    private var weekCount: Int {
        let last = selectedDay.monthStart.adding(days: selectedDay.daysInMonth - 1)
        return (last.number - firstVisibleDay.number) / 7 + 1
    }

    private var firstVisibleDay: CalendarDay {
        let start = selectedDay.monthStart
        return start.adding(days: -((start.weekday - firstWeekday + 7) % 7))
    }

    private func day(at place: GridPoint) -> CalendarDay? {
        let grid = grid
        let row = (place.y - 2) / grid.cell.height
        guard hasRoomForDays, place.y >= 2, (0..<weekCount).contains(row), place.x >= 0, place.x < grid.width else {
            return nil
        }
        return firstVisibleDay.adding(days: row * 7 + place.x / grid.cell.width)
    }

    private func select(_ day: CalendarDay) {
        guard isEnabled else { return }
        let range = selectableDays ?? CalendarDay(number: -719_162)...CalendarDay(number: 2_932_896)
        let day = max(range.lowerBound, min(range.upperBound, day))
        guard day != selectedDay else { return }
        selectedDay = day
        onSelect?(day)
    }

    private func drawHeading(_ canvas: Canvas, _ grid: Grid) {
        let (year, month, _) = selectedDay.parts
        let title = TextLayout.truncate(monthTitle(year, month), to: max(0, grid.width - 6))
        canvas.text("‹", x: 1, y: 0, style: theme.secondary)
        canvas.text(title, x: (grid.width - DisplayWidth.of(title)) / 2, y: 0, style: theme.title)
        canvas.text("›", x: grid.width - 2, y: 0, style: theme.secondary)
        for column in 0..<7 {
            let index = (firstWeekday + column) % 7
            guard weekdayNames.indices.contains(index) else { continue }
            let name = TextLayout.truncate(weekdayNames[index], to: max(2, grid.cell.width - 1), .clip)
            let x = column * grid.cell.width + max(0, min(3, grid.cell.width - 1) - DisplayWidth.of(name))
            canvas.text(name, x: x, y: 1, style: separated(theme.secondary, column))
        }
    }

    private func draw(_ day: CalendarDay, isInMonth: Bool, in area: GridRect, _ canvas: Canvas) {
        let content = content?(day)
        // The number is at the right of the first three columns, the badge after it.
        let end = min(3, max(2, area.width - 1))
        // In narrow columns a single sign stays apart from the next day.
        let room = area.width < 6 ? min(1, area.width - end) : area.width - end
        let badge = TextLayout.truncate(content?.badge ?? "", to: max(0, room), .clip)
        var style = isInMonth ? theme.text : theme.secondary
        if day == today { style = TextStyle(foreground: effectiveTint, attributes: [.bold, .underline]) }
        if day == selectedDay {
            style = isFirstResponder ? theme.selection : theme.inactiveSelection
            canvas.fill(
                GridRect(
                    x: area.minX,
                    y: area.minY,
                    width: max(1, min(end + max(1, DisplayWidth.of(badge)), area.width)),
                    height: 1
                ),
                style: style
            )
        }
        let number = String(day.parts.day)
        var mark = style
        if day != selectedDay && !theme.isMonochrome {
            if let badgeStyle = content?.badgeStyle { mark = badgeStyle } else { mark.foreground = effectiveTint }
        }
        // Without room for a badge, the number has its style.
        let isMarked = room < 1 && content?.badge.isEmpty == false
        canvas.text(
            number,
            x: area.minX + max(0, end - number.count),
            y: area.minY,
            style: separated(isMarked ? mark : style, area.minX / area.width)
        )
        canvas.text(badge, x: area.minX + end, y: area.minY, style: mark)
        let (lines, lineWidth) = (content?.lines ?? [], area.width - 2)
        guard lineWidth >= 4 else { return }
        for (row, line) in lines.prefix(max(0, area.height - 1)).enumerated() {
            let isLast = row == area.height - 2 && lines.count > area.height - 1
            let text = isLast ? "+\(lines.count - row)" : TextLayout.truncate(line, to: lineWidth)
            canvas.text(text, x: area.minX + 1, y: area.minY + 1 + row, style: isInMonth ? theme.text : theme.secondary)
        }
    }
}
