/// The text of a todo, with the line ends of iCalendar.
func todo(_ uid: String, _ summary: String = "Buy milk") -> String {
    [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//PawKit//Tests//EN", "BEGIN:VTODO", "UID:\(uid)",
        "DTSTAMP:20261101T120000Z", "SUMMARY:\(summary)", "END:VTODO", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
}
