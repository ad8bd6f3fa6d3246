"""Prints what a calendar reads in a file: `python readcalendar.py FILE`.

A line for each event: its id, when it starts (UTC), its title and its description, separated by tabs.
"""

import pathlib
import sys

from icalendar import Calendar

calendar = Calendar.from_ical(pathlib.Path(sys.argv[1]).read_bytes())
for event in calendar.walk("VEVENT"):
    if event.errors or "DTSTAMP" not in event:
        sys.exit(f"an event that is none: {event.errors}")
    start = event.decoded("DTSTART")
    words = [event["UID"], f"{start:%Y-%m-%dT%H:%M:%S%Z}", event["SUMMARY"], event["DESCRIPTION"]]
    print("\t".join(str(word).replace("\n", "|") for word in words))
