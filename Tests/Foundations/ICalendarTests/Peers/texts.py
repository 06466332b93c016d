"""Prints the SUMMARY, the CN of ATTENDEE and the CATEGORIES of each VTODO in a file as JSON."""
import json
import sys

from icalendar import Calendar

with open(sys.argv[1], "rb") as file:
    calendar = Calendar.from_ical(file.read())
print(
    json.dumps(
        [
            [str(todo["SUMMARY"]), str(todo["ATTENDEE"].params["CN"]), [str(category) for category in todo["CATEGORIES"].cats]]
            for todo in calendar.walk("VTODO")
        ]
    )
)
