"""Writes what Python's zoneinfo says about every zone: `python zones.py OUT_DIR SEED`.

The file zones.bin is made of signed 64-bit words, little-endian. For each group of names whose
files are equal: a count of names, for each name its length in bytes and its text filled up to
whole words, then three lists, each with its count first:

    instant, offset
    local time, instant at which it first comes (or the gap that swallows it ends)
    day, start of day, day before, whether it exists
"""

import array
import pathlib
import random
import sys

import zonedata
from zonedata import DAY, FIRST, LAST

RANDOM_INSTANTS = 1000
RANDOM_LOCALS = 500
RANDOM_DAYS = 4


def instants(name, changes, rng):
    near = [t + d for t in changes for d in (-1, 0, 1)]
    return near + [rng.randrange(FIRST, LAST) for _ in range(RANDOM_INSTANTS)]


def locals_(tz, changes, rng):
    wanted = []
    for change in changes:
        ends = sorted(change + zonedata.offset(tz, t) for t in (change - 1, change))
        wanted += [ends[0] - 1, ends[0], ends[0] + 1, sum(ends) // 2]
        wanted += [ends[1] - 1, ends[1], ends[1] + 1]
    return wanted + [rng.randrange(FIRST + DAY, LAST - DAY) for _ in range(RANDOM_LOCALS)]


def days(tz, changes, rng):
    """The days around each change that comes near a midnight, and a few others."""
    wanted = {rng.randrange(FIRST // DAY + 2, LAST // DAY - 2) for _ in range(RANDOM_DAYS)}
    for change in changes:
        before, after = (zonedata.local(tz, t) for t in (change - 1, change))
        if before // DAY != after // DAY or min(before % DAY, after % DAY) < 3 * 3600:
            wanted |= set(range(min(before, after) // DAY, max(before, after) // DAY + 2))
    return sorted(wanted)


def day_before(tz, day):
    """The nearest earlier date that some clock there showed."""
    earlier = day - 1
    while not zonedata.day_exists(tz, earlier):
        earlier -= 1
    return earlier


def group_words(names, rng):
    tz = zonedata.zone(names[0])
    changes = zonedata.changes(names[0])
    words = array.array("q", [len(names)])
    for name in names:
        text = name.encode()
        words.append(len(text))
        words.frombytes(text + bytes(-len(text) % 8))
    offsets = [(t, zonedata.offset(tz, t)) for t in instants(names[0], changes, rng)]
    locals__ = [(t, zonedata.first_instant(tz, t)) for t in locals_(tz, changes, rng)]
    starts = [
        (
            day,
            zonedata.first_instant(tz, day * DAY),
            day_before(tz, day),
            int(zonedata.day_exists(tz, day)),
        )
        for day in days(tz, changes, rng)
    ]
    for rows in (offsets, locals__, starts):
        words.append(len(rows))
        words.extend(word for row in rows for word in row)
    checks = len(names) * (len(offsets) + len(locals__) + 3 * len(starts))
    return words, checks, len(names) * len(changes)


def main():
    out = pathlib.Path(sys.argv[1])
    rng = random.Random(int(sys.argv[2]))
    words = array.array("q")
    checks = changes = zones = 0
    for names in zonedata.groups():
        group, group_checks, group_changes = group_words(names, rng)
        words.extend(group)
        checks += group_checks
        changes += group_changes
        zones += len(names)
    if sys.byteorder == "big":
        words.byteswap()
    out.joinpath("zones.bin").write_bytes(words.tobytes())
    print(f"zones: {checks} checks of {zones} zones at {changes} changes of their clocks")


main()
