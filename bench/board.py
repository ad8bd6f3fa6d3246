"""The leaderboard against a sorted set of Redis: made, and asked for one rank and for the first hundred."""

import random

import psycopg

from cases import Case
from measure import Measure
from redis_server import Redis, command
from schedulers import Place
from stopwatch import percentile
from watch import Stopwatch
from world import World

# Learners with a session each; a twentieth of them share their score with somebody.
LEARNERS = """
SET session_replication_role = replica;
INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
SELECT number, 'learner ' || number, 'UTC', '2026-01-01Z', '2026-01-01Z' FROM generate_series(1, {0}) AS number;
INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at, ended_at, completed,
  local_day, accuracy, first_try_rate, hint_rate, score, source, server_received_at)
SELECT number, 1, gen_random_uuid(), 'overall', '2026-02-01T10:00Z', '2026-02-01T10:05Z', true, '2026-02-01', 0.9,
  0.9, 0, 1 + (hashint8(number) & 2147483647) % (10 * {0}), 'online', '2026-02-01T10:05Z'
FROM generate_series(1, {0}) AS number;
"""

SCORES = ("SELECT user_id, score FROM learning.leaderboard_entries "
          "WHERE period = 'all' AND category = 'overall'")
RANK = "SELECT rank FROM learning.leaderboard_around(%s, 'all_time', 'overall', 0)"
TOP = ("SELECT user_id, display_name, rank, score FROM learning.leaderboard_top "
       "WHERE board = 'all_time' AND category = 'overall' AND place <= 100 ORDER BY place")

# What Redis is sent at once: so many commands with so many scores each.
MEMBERS = 1000


class Board:
    def __init__(self, given, extent):
        self.extent, self.scratch, self.place = extent, given.out, Place(given, "board")
        self.world = World(self.place, given.worker, extent.learners, given.out)

    def measured(self):
        """Yields what was measured, of whom, and what came."""
        self.place.make()
        self.world.call("migrate", "up")
        self.place.ask(LEARNERS.format(self.extent.learners))
        self.world.vacuum()
        yield "everything", "worker", {"learners": self.extent.learners, **self.refreshed(1)}
        with Redis(self.scratch) as redis, psycopg.connect(self.place.address, autocommit=True) as connection:
            scores = connection.execute(SCORES).fetchall()
            commands = [command("ZADD", "board", *(word for user, score in scores[first:first + MEMBERS]
                                                   for word in (score, user)))
                        for first in range(0, len(scores), MEMBERS)]
            for number in range(self.extent.rounds):
                yield "made", "redis", {"round": number, "seconds": self.loaded(redis, commands, len(scores))}
                yield "made", "worker", {"round": number, **self.refreshed(number + 2)}
                self.compare(redis, connection)
                yield from self.read(redis, connection, number)
            yield "size", "redis", {"megabytes": int(self.said(redis, "memory", "used_memory")) / 1e6}
        yield "size", "worker", {"megabytes": int(self.place.ask(
            "SELECT pg_total_relation_size('learning.leaderboard_entries') "
            "+ pg_total_relation_size('learning.leaderboard_marks')")) / 1e6}
        self.place.drop()

    def refreshed(self, day):
        """What a refresh took by the ledger: the first adds up all sessions, the others find their scores there."""
        case = Case("board", "", "refresh_leaderboard", f"2026-03-{day:02}T04:00:00Z", [], [])
        found = Measure(self.world, case).job()
        self.world.vacuum()
        return {name: found[name] for name in ("seconds", "cpu", "wal")}

    def loaded(self, redis, commands, count):
        redis.ask("FLUSHALL")
        stopwatch = Stopwatch()
        redis.ask_all(commands)
        seconds = stopwatch.seconds
        if redis.ask("ZCARD", "board") != count:
            raise SystemExit("bench: Redis has not taken all scores")
        return seconds

    def read(self, redis, connection, number):
        learners = random.sample(range(1, self.extent.learners + 1), self.extent.reads)
        ask = lambda statement, *values: connection.execute(statement, values, prepare=True).fetchall()
        yield "rank", "redis", self.timed(number, learners, lambda learner: redis.ask("ZREVRANK", "board", learner))
        yield "rank", "worker", self.timed(number, learners, lambda learner: ask(RANK, learner))
        yield "top", "redis", self.timed(
            number, learners, lambda _: redis.ask("ZREVRANGE", "board", 0, 99, "WITHSCORES"))
        yield "top", "worker", self.timed(number, learners, lambda _: ask(TOP))

    def timed(self, number, learners, read):
        """The microseconds of one read after the other."""
        taken = []
        for learner in learners:
            stopwatch = Stopwatch()
            read(learner)
            taken.append(stopwatch.seconds * 1e6)
        return {"round": number, "reads": len(taken), "p50": percentile(taken, 0.5), "p99": percentile(taken, 0.99)}

    def compare(self, redis, connection):
        """Refuses to measure boards that do not say the same; a rank of Redis is counted, so that ties share it."""
        for learner in random.sample(range(1, self.extent.learners + 1), 100):
            score = redis.ask("ZSCORE", "board", learner)
            there = redis.ask("ZCOUNT", "board", f"({score}", "+inf") + 1
            here = connection.execute(RANK, (learner,)).fetchone()[0]
            if here != there:
                raise SystemExit(f"bench: learner {learner} has rank {here} on the board and {there} in Redis")
        there = redis.ask("ZREVRANGE", "board", 0, 99, "WITHSCORES")[1::2]
        here = [str(score) for *_, score in connection.execute(TOP)]
        if here != there:
            raise SystemExit(f"bench: the first hundred scores are {here} on the board and {there} in Redis")

    def said(self, redis, section, name):
        lines = dict(line.split(":", 1) for line in redis.ask("INFO", section).splitlines() if ":" in line)
        return lines[name]
