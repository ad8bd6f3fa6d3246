"""The daily push once more, at the provider's count: by its own list of what it got, and when."""

import hashlib
from collections import Counter

from places import text_of
from windows import is_quiet


def identifier(user, day):
    """What the provider knows the push of a learner's day by."""
    digest = bytearray(hashlib.sha256(f"worker push {user}/{day}".encode()).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return "-".join([text[:8], text[8:12], text[12:16], text[16:20], text[20:]])


class Witness:
    """What a provider wrote down: a line for each push, with the microsecond."""

    def __init__(self, facts, verdict, path):
        self.facts, self.verdict = facts, verdict
        self.pushes = {
            identifier(push.user_id, push.local_day): push
            for pushes in facts.pushes.values() for push in pushes}
        with open(path) as file:
            lines = (line.split() for line in file)
            self.got = [(-(-int(moment) // 1_000_000), what) for moment, what in lines if what.count("-") == 4]

    def judge(self):
        count = len(self.got)
        check = self.verdict.check
        check("pushes that the provider got twice", count, self.twice())
        check("pushes that the provider got without a row", count, self.unknown())
        check("pushes that the provider got in quiet hours", count, self.in_quiet_hours())
        check("second pushes on a local day that the provider got", count, self.second_ones())
        check("sent pushes that the provider never got", *self.missing())

    def known(self):
        for second, what in self.got:
            if push := self.pushes.get(what):
                state = self.facts.state(push.user_id, second)
                yield second, push, state, self.facts.places[state.zone]

    def twice(self):
        for what, count in Counter(what for _, what in self.got).items():
            if count > 1:
                yield f"{what}, {named(self.pushes.get(what))}"

    def unknown(self):
        return (f"{what} at {text_of(second)}" for second, what in self.got if what not in self.pushes)

    def in_quiet_hours(self):
        for second, push, state, place in self.known():
            if place is None or is_quiet(state, place.minute(second)):
                yield f"{named(push)} at {text_of(second)}"

    def second_ones(self):
        seen = {}
        for second, push, _, place in self.known():
            key = (push.user_id, place and place.day(second))
            if seen.setdefault(key, push.local_day) != push.local_day:
                yield f"{named(push)} at {text_of(second)}"

    def missing(self):
        got = {what for _, what in self.got}
        sent = list(self.facts.database.rows(
            "user_id% local_day", "learning.notification_events WHERE event = 'push_sent'"))
        return len(sent), (
            f"learner {row.user_id}, {row.local_day}" for row in sent
            if identifier(row.user_id, row.local_day) not in got)


def named(push):
    return f"learner {push.user_id}, {push.local_day}: {push.state}" if push else "of nobody"
