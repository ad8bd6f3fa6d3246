"""Learners who have a push due each, and daemons that bring them to a provider."""

import datetime
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "storm"))

from provider import Mock, identifier
from psql import Psql

SETTINGS = """
workers = 4
[database]
url = "{url}"
[push]
transport = "providers"
in_flight = {window}
[push.apns]
enabled = true
team = "TEAM123456"
key_id = "ABC123DEFG"
topic = "org.example.learning"
key_file = "{folder}/apns.p8"
server = "localhost:{port}"
authorities = "{folder}/ca.crt"
rate = {rate}
connections = {connections}
[jobs.deliver_pushes]
schedule = "{schedule}"
parts = {parts}
"""

# Due since a second; the windows end when everybody is long asleep.
LEARNERS = """
WITH learner AS (
  INSERT INTO learning.users (user_id, display_name, zone, push_opt_in, quiet_from, quiet_to, created_at, changed_at)
  SELECT 53 * n, 'Ana', '{zone}', true, {quiet_from}, {quiet_to}, now() - interval '9 days', now() - interval '9 days'
  FROM generate_series({first}, {last}) AS n
  RETURNING user_id
), device AS (
  INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
  SELECT user_id, 1, 'apns', lpad(to_hex(user_id), 64, '0'), now() - interval '9 days' FROM learner
)
INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, window_from, window_to, due_at, template,
  planned_at)
SELECT user_id, '{day}', 'planned', 'reminder', '{zone}', now() - interval '2 seconds', {window_to},
  now() - interval '1 second', 'basic', now() FROM learner
"""


# How long anything is waited for that must come, in seconds: it only ends a hang, on a slow machine too.
HANG = 600

OPEN = """
SELECT EXISTS (SELECT FROM learning.notifications WHERE state = 'planned')
  OR EXISTS (SELECT FROM learning.notifications WHERE state = 'sending')
"""


class Daemon:
    """One worker of the whole program."""

    def __init__(self, worker, environment, path):
        self.path = path
        with open(path, "w") as log:
            self.process = subprocess.Popen([worker, "daemon"], env=environment, stderr=log, stdin=subprocess.DEVNULL)

    @property
    def id(self):
        return self.process.pid

    def kill(self):
        self.process.kill()
        self.process.wait()

    def await_ready(self, within=HANG):
        bound = time.monotonic() + within
        while "msg=ready" not in self.path.read_text():
            assert time.monotonic() < bound, f"a daemon does not become ready: see {self.path}"
            time.sleep(0.02)

    def send(self, number):
        self.process.send_signal(number)

    def end(self, within=HANG):
        self.process.terminate()
        return self.process.wait(within)


class Scene:
    """A database of learners, in FOLDER with its server, or with one elsewhere."""

    def __init__(self, worker, programs, mock, folder, database="postgres", server=None):
        self.worker, self.folder, server = worker, Path(folder), server or folder
        self.psql = Psql(programs, f"{server}/socket", database)
        self.url = f"host={server}/socket user=worker dbname={database}"
        self.mock_program, self.mock, self.daemons = mock, None, []
        (self.folder / "state").mkdir(exist_ok=True)
        self.environment = {
            "WORKER_CONFIG": f"{folder}/worker.toml", "WORKER_REHEARSAL": "deliver_pushes",
            "STATE_DIRECTORY": f"{folder}/state", "PATH": os.environ["PATH"]}
        hour = datetime.datetime.now(datetime.timezone.utc).hour
        # Where it is eleven o'clock, so that no quiet hours and no midnight are near.
        self.offset = offset = 11 - hour
        self.zone = f"Etc/GMT{-offset:+d}" if offset else "Etc/UTC"
        now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=offset)
        self.day = now.date().isoformat()

    def open(self, latency, **settings):
        """Starts a provider, and writes the settings that lead there."""
        self.mock = Mock(self.mock_program, self.folder, latency, window=settings.pop("takes", None))
        words = {"window": 200, "rate": 1_000_000, "connections": 1, "parts": 2, "schedule": "* * * * * *",
                 **settings}
        (self.folder / "worker.toml").write_text(
            SETTINGS.format(url=self.url, folder=self.folder, port=self.mock.port, **words))

    def migrate(self):
        subprocess.run([self.worker, "migrate", "up"], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def add(self, first, count, quiet_from=None, window_to=None):
        """Adds learners; their quiet hours begin, or their windows end, at a second since 1970, if they do."""
        minute = (int(quiet_from) // 60 + self.offset * 60) % 1440 if quiet_from else 0
        self.psql.ask(LEARNERS.format(
            zone=self.zone, day=self.day, first=first, last=first + count - 1, quiet_from=minute,
            quiet_to=(minute + 120) % 1440 if quiet_from else 0,
            window_to=f"to_timestamp({window_to})" if window_to else "now() + interval '3 hours'"))
        self.psql.ask("ANALYZE learning.users, learning.devices, learning.notifications")

    def start(self, **environment):
        log = self.folder / f"daemon-{len(self.daemons) + 1}.log"
        self.daemons.append(Daemon(self.worker, {**self.environment, **environment}, log))
        return self.daemons[-1]

    def kill_all(self):
        """Leaves nobody behind, frozen ones neither."""
        for daemon in self.daemons:
            if daemon.process.poll() is None:
                daemon.kill()

    def identifier(self, user):
        return identifier(user, self.day)

    def states(self):
        rows = self.psql.ask("SELECT state, count(*) FROM learning.notifications GROUP BY 1").splitlines()
        return {state: int(count) for state, count in (row.split("|") for row in rows)}

    def rows(self):
        """The pushes as the database has them: identifier, state, and reason."""
        for row in self.psql.ask("SELECT user_id, local_day, state, reason FROM learning.notifications").splitlines():
            user, day, state, reason = row.split("|")
            yield identifier(user, day), state, reason

    def await_end(self, within=HANG):
        """Waits until every push has an end, and that is written down."""
        bound = time.monotonic() + within
        while self.psql.ask(OPEN) == "t":
            assert time.monotonic() < bound, f"pushes do not end: {self.states()}, see {self.folder}"
            time.sleep(0.05)
