"""What becomes of the push of a day, and what it says."""

import datetime

from .clocks import DAY, UTC, instant_of_minute, local_day

GAP = datetime.timedelta(hours=8)
MASK = (1 << 64) - 1


def refusal(learner, has_device):
    """Why no push of any day may go to a learner, if there is a reason."""
    if learner.status != "active":
        return "inactive"
    if learner.lacks_consent:
        return "no_consent"
    if not learner.push_opt_in:
        return "opted_out"
    return None if has_device else "no_device"


class Decision:
    """Whether the push of a plan goes out, its minute, and its message."""

    def __init__(self, connection, person, plan, studies, at):
        self.connection, self.person, self.plan, self.studies, self.at = connection, person, plan, studies, at
        self.due_at = self.minute() if plan.minutes else None
        self.state, self.reason = self.verdict()
        self.template, self.pattern = self.message()

    def columns(self):
        """In the order in which they are written."""
        minutes, person = self.plan.minutes, self.person
        return (self.state, self.reason, self.plan.kind, person.zone_name,
                instant_of_minute(minutes.start) if minutes else None,
                instant_of_minute(minutes.stop) if minutes else None, self.due_at, self.template,
                self.variant(), person.locale, self.pattern, person.streak_days if self.template == "streak" else None,
                self.plan.evidence_at)

    def verdict(self):
        if not self.plan.minutes:
            return ("expired" if self.plan.reason == "window_passed" else "suppressed"), self.plan.reason
        if self.at >= instant_of_minute(self.plan.minutes.stop):
            return "expired", "window_passed"
        reason = self.objection()
        return ("suppressed" if reason else "planned"), reason

    def objection(self):
        """The first reason not to send it."""
        person = self.person
        reason = refusal(person, person.has_device)
        if reason:
            return reason
        if stable_hash(f"{person.user_id} push holdout") % 1000 < 20:
            return "holdout"
        others = [row.handed_at for day, row in person.pushes.items() if day != self.plan.day and row.handed_at]
        return "capped" if others and self.due_at < max(others) + GAP else None

    def minute(self):
        """The learner's own minute of the window on that day, always the same one."""
        minutes, third = self.plan.minutes, self.favourite_third()
        if third is not None:
            start, count = minutes.start, len(minutes)
            minutes = range(start + count * third // 3, start + count * (third + 1) // 3)
        number = (self.plan.day - datetime.date(1970, 1, 1)).days
        return instant_of_minute(minutes[stable_hash(f"{self.person.user_id} {number}") % len(minutes)])

    def favourite_third(self):
        """The third of a window of whose pushes the greatest share was opened, once five were in sixty days."""
        if len(self.plan.minutes) < 3:
            return None
        since = self.at - 60 * DAY
        rows = self.connection.execute(
            "SELECT least(2, floor(3 * extract(epoch FROM due_at - window_from) "
            "/ extract(epoch FROM window_to - window_from)))::integer AS third, "
            "count(*) AS handed, count(opened.at) AS opened "
            "FROM learning.notifications AS push LEFT JOIN learning.notification_events AS opened "
            "ON opened.user_id = push.user_id AND opened.local_day = push.local_day AND opened.event = 'push_opened' "
            "AND opened.at > %(since)s AND opened.at <= %(at)s "
            "WHERE push.user_id = %(learner)s AND push.local_day >= %(day)s "
            "AND push.state IN ('sent', 'opened', 'ignored', 'uncertain') AND push.sent_at > %(since)s "
            "AND push.sent_at <= %(at)s AND window_from <= due_at AND due_at < window_to GROUP BY third ORDER BY third",
            {"learner": self.person.user_id, "at": self.at, "since": since, "day": local_day(since, UTC) - 2 * DAY}
        ).fetchall()
        if sum(row.opened for row in rows) < 5:
            return None
        return max(rows, key=lambda row: row.opened / row.handed).third

    def message(self):
        """The first template that fits, and the pattern that it names."""
        if self.has_streak_at_risk():
            return "streak", None
        day = self.plan.day
        review = self.connection.execute(
            "SELECT CASE WHEN state = 'open' AND NOT locked THEN code END AS code "
            "FROM learning.reviews JOIN learning.patterns USING (pattern_id) WHERE user_id = %s "
            "AND local_day BETWEEN %s AND %s AND at <= %s "
            "ORDER BY local_day DESC, state = 'open' AND NOT locked DESC, rank LIMIT 1",
            (self.person.user_id, day - 7 * DAY, day, self.at)).fetchone()
        if review and review.code:
            return "pattern", review.code
        is_away = self.studies and (day - self.studies[-1].local_day).days >= 2
        return ("encourage" if is_away else "basic"), None

    def has_streak_at_risk(self):
        person, day = self.person, self.plan.day
        return (person.streak_ends is not None and person.streak_state == "kept"
                and person.streak_ends >= day - DAY and person.streak_days >= 3
                and all(study.local_day != day for study in person.studies))

    def variant(self):
        """Always the same one for a learner, of two that share the learners evenly."""
        if self.template == "encourage":
            return ("warm", "funny")[stable_hash(f"{self.person.user_id} encourage") % 2]
        return None


def stable_hash(text):
    """FNV-1a of the text's bytes, its bits then mixed so that near texts lie far apart."""
    number = 0xcbf29ce484222325
    for byte in text.encode():
        number = (number ^ byte) * 0x100000001b3 & MASK
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9 & MASK
    number = (number ^ number >> 27) * 0x94d049bb133111eb & MASK
    return number ^ number >> 31
