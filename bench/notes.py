"""What was measured, and what is said of it on the way."""

import json
import os
import sys
from datetime import UTC, datetime


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def now():
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M}"


class Notes:
    """What was measured, a line of JSON each, so that a benchmark that was broken off goes on where it was."""

    def __init__(self, path):
        self.path, self.lines = path, []
        if os.path.exists(path):
            self.lines = complete(read_lines(path))
            write_lines(path, self.lines)

    def add(self, **facts):
        self.lines.append(facts)
        with open(self.path, "a") as file:
            file.write(json.dumps(facts) + "\n")

    def has(self, learners, case, once):
        return (learners, case, once) in finished(self.lines)


def read_lines(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def write_lines(path, lines):
    with open(path, "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def measured(line):
    """What a line is of: so many learners, a case, and whether that was once or in rounds, as all of before were."""
    return line["learners"], line["case"], line.get("once", False)


def finished(lines):
    """What has been measured to its end."""
    return {measured(line) for line in lines if line["side"] == "end"}


def complete(lines):
    """Those of such cases: a case that was broken off is measured from its beginning."""
    ended = finished(lines)
    return [line for line in lines if measured(line) in ended]
