"""Prints the content lines of each file on the command line as icalendar reads them, one JSON document a file.

null stands for a file that icalendar cannot read.
"""
import json
import sys

from icalendar.parser import Contentlines

for path in sys.argv[1:]:
    with open(path, "rb") as file:
        data = file.read()
    try:
        lines = [line.raw_parts() for line in Contentlines.from_ical(data.decode("utf-8")) if line]
        lines = [
            [name.upper(), {key: values if isinstance(values, list) else [values] for key, values in parameters.items()}, value]
            for name, parameters, value in lines
        ]
        print(json.dumps(lines))
    except (ValueError, UnicodeDecodeError):
        print("null")
