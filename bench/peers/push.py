"""schedule_daily_push for one learner: decides the pushes whose windows begin, and when to look again."""

import datetime
from types import SimpleNamespace

from .aside import CAN_BE, put_aside, put_sessions_aside
from .clocks import DAY, UTC, instant_of_minute, local_day, zone_named
from .decision import Decision
from .plan import plan_for

JOB = "schedule_daily_push"
LEAD = datetime.timedelta(minutes=5)


def push(connection, learner, at):
    person = read_person(connection, learner, at)
    # A later run has looked already, and knew more.
    if person is None or person.looked_at and person.looked_at > at:
        return
    person.zone = zone_named(person.zone_name)
    if person.zone is None:
        return let_go(connection, learner, at)
    person.studies, has_bad_ones = read_studies(connection, learner, at)
    person.pushes = read_pushes(connection, learner, at)
    if has_bad_ones:
        put_sessions_aside(connection, learner, at, JOB)
    agenda = Agenda(connection, person, at)
    decisions = [decision for day in agenda.days() if (decision := agenda.due(day))]
    save(connection, person, decisions, agenda.next_look({decision.plan.day for decision in decisions}), at)


def read_person(connection, learner, at):
    row = connection.execute(
        "SELECT user_id, zone AS zone_name, locale, status, push_opt_in, users.changed_at, "
        "audience = 'child' AND NOT guardian_consent AS lacks_consent, coalesce(quiet_from, 1320) AS quiet_from, "
        "coalesce(quiet_to, 420) AS quiet_to, coalesce(preferred_minute, 1140) AS first_minute, "
        "state AS streak_state, length AS streak_days, last_day AS streak_ends, look_at, looked_at, "
        "EXISTS (SELECT FROM learning.devices WHERE devices.user_id = users.user_id AND registered_at <= %(at)s "
        "AND (invalidated_at IS NULL OR invalidated_at > %(at)s)) AS has_device, "
        "users.changed_at > looked_at OR EXISTS (SELECT FROM learning.devices "
        "WHERE devices.user_id = users.user_id AND registered_at > looked_at) AS has_news "
        "FROM learning.users LEFT JOIN learning.streaks USING (user_id) "
        "LEFT JOIN learning.push_agenda USING (user_id) WHERE user_id = %(learner)s AND created_at <= %(at)s",
        {"learner": learner, "at": at}).fetchone()
    return row and SimpleNamespace(**row._asdict())


def read_studies(connection, learner, at):
    """The studies of the last weeks, and the latest one before them of who has none or only some of the last days;
    whether sessions of the last weeks cannot be."""
    rows = connection.execute(
        f"SELECT ended_at, local_day, {CAN_BE} AS can_be FROM learning.sessions WHERE user_id = %s AND completed "
        "AND ended_at > %s AND server_received_at <= %s ORDER BY ended_at", (learner, at - 21 * DAY, at)).fetchall()
    studies = [row for row in rows if row.can_be]
    if not studies or studies[0].local_day >= local_day(at, UTC) - 4 * DAY:
        studies = connection.execute(
            f"SELECT ended_at, local_day FROM learning.sessions WHERE user_id = %s AND completed AND {CAN_BE} "
            "AND ended_at <= %s AND server_received_at <= %s ORDER BY ended_at DESC LIMIT 1",
            (learner, at - 21 * DAY, at)).fetchall() + studies
    return studies, not all(row.can_be for row in rows)


def read_pushes(connection, learner, at):
    """What was decided for the days around today."""
    rows = connection.execute(
        "SELECT local_day, state, kind, planned_at, evidence_at, window_to, "
        "CASE WHEN state IN ('sending', 'sent', 'opened', 'ignored', 'uncertain') "
        "THEN coalesce(sent_at, sending_at, due_at) END AS handed_at "
        "FROM learning.notifications WHERE user_id = %s AND local_day >= %s",
        (learner, local_day(at, UTC) - 4 * DAY)).fetchall()
    return {row.local_day: row for row in rows}


def let_go(connection, learner, at):
    """Who lives where nobody knows gets nothing, until the zone is corrected or, some hours later, known."""
    put_aside(connection, learner, [("users", "", "unknown_zone")], at, JOB)
    look_again(connection, learner, at + DAY / 4, at)
    connection.execute(
        "UPDATE learning.notifications SET state = 'suppressed', reason = 'unknown_zone', planned_at = %s, "
        "ended_at = %s WHERE user_id = %s AND state = 'planned'", (at, at, learner))


class Agenda:
    """What is to be decided of a learner's days."""

    def __init__(self, connection, person, at):
        self.connection, self.person, self.at, self.plans = connection, person, at, {}
        self.today = local_day(at, person.zone)

    def days(self):
        """Those that may have something to decide; a day that ended while nobody looked is written down."""
        open_days = {day for day, row in self.person.pushes.items() if is_open(row)}
        overlooked = set()
        if self.person.look_at:
            first = max(local_day(self.person.look_at, self.person.zone), self.today - 2 * DAY)
            overlooked = {first + number * DAY for number in range((self.today - first).days)}
        return sorted(open_days | overlooked | {self.today, local_day(self.at + LEAD, self.person.zone)})

    def due(self, day):
        """What is decided of a day now, if anything is."""
        row = self.person.pushes.get(day)
        if row is None:
            return self.decision(day) if self.plan(day).begins <= self.at + LEAD else None
        # Why nothing went out on a day that is over stays true.
        if not is_open(row) or row.state != "planned" and day < self.today:
            return None
        is_overtaken = self.is_overtaken(row)
        if not is_overtaken and not self.person.has_news and self.person.changed_at <= row.planned_at:
            return None
        decision = self.decision(day)
        if row.state == "expired":
            return decision if opens_later(decision, row) else None
        if row.state == "suppressed" and not is_overtaken and self.stays_true(row, decision):
            return None
        return decision

    def stays_true(self, row, decision):
        """Why nothing went out in a window that has passed, unless another one is ahead in which something does."""
        has_passed = row.window_to is not None and row.window_to <= self.at
        return decision.state == "expired" or has_passed and decision.state != "planned"

    def is_overtaken(self, row):
        """Whether there is a study to follow up that the push does not follow."""
        studies = self.studies(row.local_day)
        return bool(studies) and studies[-1].local_day >= row.local_day and (
            row.kind != "follow_up" or row.evidence_at != studies[-1].ended_at)

    def studies(self, day):
        """Those that bear on a day: what came after a day that is over does not."""
        studies = self.person.studies
        return studies if day >= self.today else [study for study in studies if study.local_day <= day]

    def plan(self, day):
        if day not in self.plans:
            self.plans[day] = plan_for(day, self.person, self.studies(day))
        return self.plans[day]

    def decision(self, day):
        return Decision(self.connection, self.person, self.plan(day), self.studies(day), self.at)

    def next_look(self, decided):
        day = self.today
        while day in decided or day in self.person.pushes:
            day += DAY
        return self.plan(day).begins


def is_open(row):
    return row.state in ("planned", "suppressed", "expired")


def opens_later(decision, row):
    """Whether it goes out in a window that is not over with that of a row which has expired."""
    return decision.state == "planned" and (
        row.window_to is None or instant_of_minute(decision.plan.minutes.stop) > row.window_to)


DECIDED = ("state, reason, kind, zone, window_from, window_to, due_at, template, variant, locale, pattern_code, "
           "streak_days, evidence_at")
AS_EXCLUDED = ", ".join(f"excluded.{column}" for column in DECIDED.split(", "))
AS_KNOWN = AS_EXCLUDED.replace("excluded", "known")


def save(connection, person, decisions, look_at, at):
    """Writes what is not so already; what is being sent at this moment, or was, is let alone."""
    for decision in decisions:
        connection.execute(
            f"INSERT INTO learning.notifications AS known (user_id, local_day, planned_at, ended_at, {DECIDED}) "
            f"VALUES (%s, %s, %s, %s{', %s' * 13}) ON CONFLICT (user_id, local_day) "
            f"DO UPDATE SET (planned_at, ended_at, {DECIDED}) "
            f"= (excluded.planned_at, excluded.ended_at, {AS_EXCLUDED}) "
            "WHERE (known.state IN ('planned', 'suppressed') OR known.state = 'expired' "
            "AND excluded.state = 'planned' AND (known.window_to >= excluded.window_to) IS NOT TRUE) "
            "AND known.sent_at IS NULL "
            f"AND known.planned_at <= excluded.planned_at AND ({AS_KNOWN}) IS DISTINCT FROM ({AS_EXCLUDED})",
            (person.user_id, decision.plan.day, at, None if decision.state == "planned" else at, *decision.columns()))
    look_again(connection, person.user_id, look_at, at)


def look_again(connection, learner, look_at, at):
    connection.execute(
        "INSERT INTO learning.push_agenda AS known VALUES (%s, %s, %s) ON CONFLICT (user_id) "
        "DO UPDATE SET look_at = excluded.look_at, looked_at = excluded.looked_at "
        "WHERE known.looked_at <= excluded.looked_at", (learner, look_at, at))
