"""Two daemons live through a month of a small world in minutes, and are killed again and again.

The clock is the server's, and turned by hand: in the database of the month, functions that come before those of
Postgres tell what a table says. It stands still while anybody works, so nothing that happens depends on how fast
this machine is. A daemon dies by a signal at a random moment, or at a place in its code that it was told to die
at; then time goes on until its leases have run out, and another begins in its place.

With MONTH_PROVIDER=MOCK the pushes go to that provider, which writes down in SCRATCH/witness what it gets, and when by
the same clock. A push that is sent expires by the host's clock as well: so the month has to be one that is to come.
"""

import datetime
import os
import random
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "push"))

from daemon import Daemon
from provider import Mock
from psql import Psql

STEP = datetime.timedelta(minutes=10)
LEASE = datetime.timedelta(seconds=16)
# How a command ends that did not reach Postgres.
NO_POSTGRES = 69
# Which ticks a step may have to wait for: the seconds between them, and those after a multiple of that.
RHYTHMS = {
    "schedule_daily_push": (600, 0), "deliver_pushes": (600, 0), "settle_rewards": (600, 0),
    "detect_streak_breaks": (600, 0), "refresh_widget_snapshots": (1800, 0), "recommend_review": (1800, 0),
    "sweep_push_outcomes": (3600, 1500), "refresh_leaderboard": (86400, 14400),
}
PLACES = [
    "decide.locked", "decide.committed", "claim.begun", "claim.claimed", "chunk.begun", "chunk.worked", "chunk.saved",
    "chunk.committed", "finish.begun", "finish.written", "leases.extended",
]
CLOCK = """
CREATE SCHEMA rehearsal;
CREATE TABLE rehearsal.clock (now timestamptz NOT NULL);
CREATE FUNCTION rehearsal.clock_timestamp() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT now FROM rehearsal.clock';
CREATE FUNCTION rehearsal.statement_timestamp() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT now FROM rehearsal.clock'
"""


PROVIDER = """
[push.apns]
enabled = true
team = "TEAM123456"
key_id = "ABC123DEFG"
topic = "org.example.learning"
key_file = "{folder}/apns.p8"
server = "localhost:{port}"
authorities = "{folder}/ca.crt"
rate = 1000000
"""
# Whatever device a learner has, its pushes go to the one provider.
DEVICES = """
CREATE FUNCTION rehearsal.have_one_provider() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.provider := 'apns';
  NEW.token := pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(NEW.token, 'UTF8')), 'hex');
  RETURN NEW;
END $$;
CREATE TRIGGER have_one_provider BEFORE INSERT ON learning.devices
  FOR EACH ROW EXECUTE FUNCTION rehearsal.have_one_provider();
UPDATE learning.devices SET provider = 'apns',
  token = encode(sha256(convert_to(token, 'UTF8')), 'hex')
"""


class Month:
    def __init__(self, worker, programs, scratch, database, begin, end, kills, seed):
        self.worker, self.scratch = worker, scratch
        self.random = random.Random(seed)
        self.now, self.finish, self.kills = begin, end, kills
        self.deaths = {"by a signal": 0, "at a place": 0}
        self.psql = Psql(programs, f"{scratch}/socket", database)
        self.psql.ask(CLOCK)
        self.psql.ask(f"INSERT INTO rehearsal.clock VALUES ('{begin.isoformat()}')")
        self.psql.ask(f"ALTER DATABASE {database} SET search_path = rehearsal, pg_catalog, public")
        self.environment = {**os.environ, "WORKER_REHEARSAL_PACE_MS": "5"}
        self.mock = self.open_provider(os.environ.get("MONTH_PROVIDER"))
        self.daemons = [self.start(), self.start()]

    def open_provider(self, program):
        """Lets pushes go to a provider that looks at the same clock."""
        if not program:
            return None
        folder = Path(self.scratch)
        (folder / "state").mkdir()
        self.environment["STATE_DIRECTORY"] = str(folder / "state")
        self.psql.ask(DEVICES)
        self.show(self.now)
        mock = Mock(program, folder, latency=5, clock=folder / "clock")
        with open(self.environment["WORKER_CONFIG"], "a") as settings:
            settings.write(PROVIDER.format(folder=folder, port=mock.port))
        return mock

    def show(self, now):
        """Turns the provider's clock."""
        with open(f"{self.scratch}/clock", "r+b" if os.path.exists(f"{self.scratch}/clock") else "wb") as clock:
            clock.write((int(now.timestamp()) * 1_000_000).to_bytes(8, "little"))

    def start(self, place=None):
        told = {"WORKER_FAILPOINT": f"{place}:{self.random.randint(1, 40)}"} if place else {}
        return Daemon(self.worker, {**self.environment, **told}, self.scratch)

    def run(self):
        steps = (self.finish - self.now) // STEP
        fatal = set(self.random.sample(range(steps), min(self.kills, steps)))
        began = time.monotonic()
        for step in range(steps):
            self.play(self.now + STEP)
            self.turn(self.now + STEP)
            if step in fatal:
                self.kill()
            self.settle()
            if step % 144 == 143:
                print(f"month: {self.now:%Y-%m-%d} is over, {sum(self.deaths.values())} deaths, "
                      f"{time.monotonic() - began:.0f} s", flush=True)
        self.calm_down()
        for daemon in self.daemons:
            assert daemon.end(within=300) == 0, f"a daemon did not end in good order: see {daemon.path}"

    def play(self, until):
        """Lets the learners do what they do up to then, before any job looks."""
        bound = time.monotonic() + 300
        words = [self.worker, "demo", "play", "--until", until.isoformat()]
        # On a machine that stands still for seconds Postgres does not answer in time: that is no fault of anybody's.
        while (code := subprocess.run(words, env=self.environment).returncode) == NO_POSTGRES:
            assert time.monotonic() < bound, "Postgres does not answer those who play"
        assert code == 0, f"'{' '.join(words)}' ended with {code}"

    def turn(self, now):
        self.now = now
        # The provider's first: what comes in between is taken for later than it was.
        if self.mock:
            self.show(now)
        self.psql.ask(f"UPDATE rehearsal.clock SET now = '{now.isoformat()}'")

    def kill(self):
        """One of the two dies: at once, or when it comes to a place."""
        number = self.random.randrange(2)
        time.sleep(self.random.uniform(0, 0.04))
        self.daemons[number].kill()
        self.deaths["by a signal"] += 1
        # Every second one that begins in place of a dead one is told where to die.
        place = self.random.choice(PLACES) if sum(self.deaths.values()) % 2 else None
        self.daemons[number] = self.start(place)

    def settle(self):
        """Waits until whatever is due has been done; whoever has died is replaced, and what it held runs out."""
        bound = time.monotonic() + 300
        while not self.is_settled():
            assert time.monotonic() < bound, f"it does not settle at {self.now}: " + self.psql.ask(
                "SELECT job, state, count(*) FROM jobkit.part WHERE state IN ('due', 'running') GROUP BY 1, 2")
            self.replace()
            if self.is_somebody_lost() and not self.is_anybody_at_work():
                # What learners do in these seconds is there before them: else it would be received before a push
                # leaves, by its row, and be written after it.
                self.play(self.now + LEASE)
                self.turn(self.now + LEASE)
            time.sleep(0.004)

    def calm_down(self):
        """Leaves nobody who is told where to die, or does not hear yet that it is to end."""
        for number, daemon in enumerate(self.daemons):
            if daemon.is_to_die:
                daemon.kill()
                self.daemons[number] = self.start()
            self.daemons[number].await_ready(within=300)

    def replace(self):
        for number, daemon in enumerate(self.daemons):
            if daemon.process.poll() is not None:
                self.deaths["at a place"] += 1
                self.daemons[number] = self.start()

    def is_somebody_lost(self):
        """Whether a daemon that is no more still has the lease of a part: only then does time have to go on.

        Once the lease is over it is the others' turn to notice, however long they take.
        """
        holders = self.psql.ask("SELECT DISTINCT daemon FROM jobkit.part, rehearsal.clock "
                                "WHERE state = 'running' AND lease_until >= now").split()
        living = {str(daemon.id) for daemon in self.daemons if daemon.process.poll() is None}
        return any(holder.split(":")[1] not in living for holder in holders)

    def is_anybody_at_work(self):
        """Whether a transaction is open: before a lease is over the server has long noticed who is dead, and whoever
        goes on finds no row locked by them."""
        return self.psql.ask("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE xact_start IS NOT NULL "
                             "AND datname = current_database() AND pid <> pg_backend_pid())") == "t"

    def is_settled(self):
        seconds = int(self.now.timestamp())
        wanted = ", ".join(
            f"('{job}', to_timestamp({(seconds - after) // every * every + after}))"
            for job, (every, after) in RHYTHMS.items())
        return self.psql.ask(f"""
            SELECT NOT EXISTS (SELECT FROM jobkit.part, rehearsal.clock
                WHERE state = 'running' OR state = 'due' AND not_before <= now)
              AND NOT EXISTS (SELECT FROM (VALUES {wanted}) AS wanted (job, tick)
                LEFT JOIN jobkit.job ON name = wanted.job WHERE decided_until IS NULL OR decided_until < tick)
            """) == "t"


def main():
    worker, programs, scratch, database, begin, end, kills, seed = sys.argv[1:]
    begin, end = (datetime.datetime.fromisoformat(text) for text in (begin, end))
    month = Month(worker, programs, scratch, database, begin, end, int(kills), int(seed))
    try:
        month.run()
    finally:
        for daemon in month.daemons:
            daemon.kill()
        month.psql.end()
        if month.mock:
            month.mock.end()
    print(f"month: {begin:%Y-%m-%d} to {end:%Y-%m-%d}, deaths " +
          ", ".join(f"{count} {kind}" for kind, count in month.deaths.items()))


main()
