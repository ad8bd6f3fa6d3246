"""What the referee goes by: the rows of a simulated world, read through psql."""

import csv
import io
import subprocess
from collections import defaultdict
from types import SimpleNamespace

from places import Places, day_of


class Database:
    def __init__(self, psql, url):
        self.command = [*psql.split(), "--no-psqlrc", "--quiet", "--dbname", url]

    def rows(self, columns, source):
        """Rows whose columns are written as x@ for an instant, x% and x# for numbers, x? for a truth.

        Instants are whole seconds, rounded up: runs stand for whole seconds, and what happened in the
        middle of one had not happened at its beginning.
        """
        names, selected = [], []
        for column in columns.split():
            name = column.rstrip("@%#?")
            names.append((name, column[len(name):]))
            selected.append(
                f"ceil(extract(epoch FROM {name}))::bigint" if column.endswith("@") else name)
        query = f"COPY (SELECT {', '.join(selected)} FROM {source}) TO STDOUT (FORMAT csv)"
        text = subprocess.run(
            [*self.command, "--command", query], check=True, capture_output=True, text=True).stdout
        read = {"@": int, "%": int, "#": float, "?": lambda value: value == "t", "": str}
        for line in csv.reader(io.StringIO(text)):
            yield SimpleNamespace(**{
                name: read[kind](value) if value != "" else None
                for (name, kind), value in zip(names, line)})


class Facts:
    """Everything that the rules are about, by learner."""

    def __init__(self, database):
        self.database = database
        world = next(database.rows("starts_at@ begins_at@ ends_at@ played_until@", "demo.world"))
        self.begin, self.end = world.begins_at, world.played_until
        self.places = Places(world.starts_at - 40 * 86_400, world.ends_at + 5 * 86_400)
        self.read_learners()
        self.read_work()

    def by_learner(self, columns, source):
        found = defaultdict(list)
        for row in self.database.rows("user_id% " + columns, source):
            found[row.user_id].append(row)
        return found

    def read_learners(self):
        self.states = self.by_learner(
            "changed_at@ created_at@ display_name zone status audience guardian_consent? plan"
            " push_opt_in? quiet_from% quiet_to% preferred_minute% auto_repair?",
            f"demo.users WHERE changed_at <= to_timestamp({self.end}) ORDER BY user_id, changed_at")
        self.devices = self.by_learner("registered_at@ invalidated_at@", "learning.devices")
        self.sessions = self.by_learner(
            "session_id% category started_at@ ended_at@ completed? local_day sentences% accuracy#"
            " score% server_received_at@ cannot_be?",
            "(SELECT *, ended_at < started_at OR server_received_at + interval '10 minutes' < ended_at AS cannot_be"
            " FROM learning.sessions) AS s ORDER BY user_id, ended_at, session_id")
        for sessions in self.sessions.values():
            for session in sessions:
                session.day = day_of(session.local_day)
                session.is_study = session.completed and not session.cannot_be

    def read_work(self):
        self.pushes = self.by_learner(
            "local_day state reason kind zone window_from@ window_to@ due_at@ evidence_at@"
            " planned_at@ sending_at@ sent_at@ ended_at@ tries% answer template",
            "learning.notifications ORDER BY user_id, local_day")
        for pushes in self.pushes.values():
            for push in pushes:
                push.day = day_of(push.local_day)
        self.ran = {
            row.job: row.last for row in self.database.rows(
                "job last@", "(SELECT job, max(scheduled_for) AS last FROM jobkit.run"
                " WHERE state = 'succeeded' GROUP BY job) AS r")}

    def runs_of(self, *jobs):
        """The instants that runs of some jobs stood for."""
        names = ", ".join(f"'{job}'" for job in jobs)
        return [row.at for row in self.database.rows(
            "at@", "(SELECT DISTINCT scheduled_for AS at FROM jobkit.run"
            f" WHERE job IN ({names}) AND state = 'succeeded' ORDER BY 1) AS r")]

    def ends_of(self, job):
        """When the run for each instant was over: later than that where a worker had died in it."""
        return {row.at: row.over for row in self.database.rows(
            "at@ over@", "(SELECT scheduled_for AS at, max(finished_at) AS over FROM jobkit.run"
            f" WHERE job = '{job}' AND state = 'succeeded' GROUP BY 1) AS r")}

    def lost_workers(self):
        """How many parts have lost a worker."""
        return sum(row.lost for row in self.database.rows(
            "lost%", "(SELECT count(*) AS lost FROM jobkit.part WHERE worker_losses > 0) AS r"))

    def state(self, learner, second):
        """The learner's row as of a second; nothing before the account was made."""
        found = None
        for state in self.states.get(learner, []):
            if state.changed_at <= second:
                found = state
        return found

    def studies(self, learner, second):
        """The studies that had been received by a second, by their ends."""
        return [s for s in self.sessions.get(learner, [])
                if s.is_study and s.server_received_at <= second]

    def has_device(self, learner, second):
        return any(
            device.registered_at <= second
            and (device.invalidated_at is None or device.invalidated_at > second)
            for device in self.devices.get(learner, []))


class Verdict:
    """One line for each thing that must hold, and a line for each row that breaks it."""

    MOST_SHOWN = 20

    def __init__(self):
        self.broken = 0

    def check(self, what, count, violations):
        violations = list(violations)
        self.broken += len(violations)
        mark = "ok " if not violations else "NOT"
        print(f"{mark} {what}: {len(violations)} of {count}")
        for violation in violations[:self.MOST_SHOWN]:
            print(f"      {violation}")
        if len(violations) > self.MOST_SHOWN:
            print(f"      and {len(violations) - self.MOST_SHOWN} more")
