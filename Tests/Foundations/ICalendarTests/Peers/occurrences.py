"""Prints the first days of each rule on the command line, written `RRULE DTSTART`, as recurring-ical-events computes them."""
import datetime
import sys

import recurring_ical_events
from icalendar import Calendar

for line in sys.argv[1:]:
    rule, start = line.split()
    day = start.replace("-", "")
    text = "\r\n".join(
        [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VTODO", "UID:1", "DTSTAMP:20200101T000000Z",
            f"DTSTART;VALUE=DATE:{day}", f"DUE;VALUE=DATE:{day}", f"RRULE:{rule}", "END:VTODO", "END:VCALENDAR", "",
        ]
    )
    query = recurring_ical_events.of(Calendar.from_ical(text), components=["VTODO"])
    first, days = datetime.date.fromisoformat(start), []
    # A longer time only for a rule with few days: its length is the time of the search.
    for years in [1, 10, 110]:
        todos = query.between(first, first + datetime.timedelta(days=366 * years))
        days = sorted(todo["DTSTART"].dt.isoformat() for todo in todos)[:8]
        if len(days) == 8:
            break
    print(rule, *days)
