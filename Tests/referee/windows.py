"""The window of a push, from docs/learning.md alone."""

from types import SimpleNamespace

DAY = 86_400
QUIET = (22 * 60, 7 * 60)
LENGTH = 45 * 60


def quiet_of(state):
    if state.quiet_from is None:
        return QUIET
    return state.quiet_from, state.quiet_to


def is_quiet(state, minute):
    begin, end = quiet_of(state)
    return begin <= minute < end if begin <= end else minute >= begin or minute < end


def distance(one, other):
    apart = abs(one - other)
    return min(apart, 1440 - apart)


def circular_median(minutes):
    """The least sum of distances to all; of several such, the smallest."""
    return min(minutes, key=lambda m: (sum(distance(m, other) for other in minutes), m))


def uncut(state, place, day, studies):
    """The kind of the day's push, its window before quiet hours, and what it follows."""
    if not studies:
        minute = 19 * 60 if state.preferred_minute is None else state.preferred_minute
        begin = place.instant(day, minute * 60)
        return SimpleNamespace(kind="first", begin=begin, end=begin + LENGTH, after=None)
    last = studies[-1]
    if last.day >= day:
        return SimpleNamespace(
            kind="follow_up", begin=last.ended_at + LENGTH, end=last.ended_at + 2 * LENGTH, after=last)
    recent = [place.minute(s.ended_at) for s in studies if day - 14 <= s.day < day]
    second = (
        circular_median(recent) * 60 if len(recent) >= 3 else place.local(last.ended_at) % DAY)
    begin = place.instant(day, second) + LENGTH
    return SimpleNamespace(kind="reminder", begin=begin, end=begin + LENGTH, after=last)


def stretches(state, place, begin, end):
    """The runs of minutes of [begin, end) that are outside of quiet hours."""
    found, open_at = [], None
    # Quiet hours begin and end with a minute of the clock, so it is asked wherever one begins.
    moments = [begin, *range(begin - begin % 60 + 60, end, 60), end]
    for moment in moments[:-1]:
        if is_quiet(state, place.minute(moment)):
            if open_at is not None:
                found.append((open_at, moment))
            open_at = None
        elif open_at is None:
            open_at = moment
    if open_at is not None:
        found.append((open_at, end))
    return [(b, e) for b, e in found if e - b >= 60]


def cut(state, place, day, window):
    """The window as it can be used, or why there is none: (begin, end, None) or (None, None, reason)."""
    day_begins, day_ends = place.start_of(day), place.start_of(day + 1)
    # A follow-up needs a whole minute of the clock before its day is over.
    if window.kind == "follow_up" and window.begin > day_ends - 60:
        return None, None, "day_over"
    if window.kind == "follow_up" and window.end <= day_begins:
        return None, None, "window_passed"
    if window.begin >= day_ends:
        return hurried(state, place, day, from_the_end=True)
    begin, end = max(window.begin, day_begins), min(window.end, day_ends)
    left = stretches(state, place, begin, end)
    if left:
        longest = max(left, key=lambda s: (s[1] - s[0], -s[0]))
        return longest[0], longest[1], None
    if window.kind == "follow_up":
        return None, None, "quiet_hours"
    return hurried(state, place, day)


def hurried(state, place, day, from_the_end=False):
    begin, end = quiet_of(state)
    day_ends = place.start_of(day + 1)
    # In the evening it is quiet only when the quiet hours go on over midnight.
    is_late = begin == end or from_the_end and begin < end
    quiet_begins = day_ends if is_late else place.instant(day, begin * 60)
    left = stretches(
        state, place, max(quiet_begins - LENGTH, place.start_of(day)), min(quiet_begins, day_ends))
    if not left:
        return None, None, "quiet_hours"
    longest = max(left, key=lambda s: (s[1] - s[0], -s[0]))
    return longest[0], longest[1], None
