"""What is measured of whole daemons: their start, their rest, and their end by a kill."""

import os
import threading
import time
from dataclasses import dataclass

from runner import end


def start_to_ready(worker, times):
    worker.call("migrate", "up")
    seconds = []
    for _ in range(times):
        daemon, took = worker.start()
        end(daemon)
        seconds.append(took)
    return seconds


@dataclass
class Rest:
    cpu: float
    queries: float
    megabytes: float
    writers: list


def processor_seconds(daemon):
    with open(f"/proc/{daemon.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_megabytes(daemon):
    with open(f"/proc/{daemon.pid}/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))


def idle(worker, server, seconds):
    """A daemon with nothing to do, once its start is over."""
    worker.call("migrate", "up")
    server.ask("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    daemon, _ = worker.start()
    try:
        return rest_of(daemon, server, seconds)
    finally:
        end(daemon)


def rest_of(daemon, server, seconds):
    time.sleep(5)
    server.ask("SELECT pg_stat_statements_reset()")
    before, begin = processor_seconds(daemon), time.monotonic()
    time.sleep(seconds)
    minutes = (time.monotonic() - begin) / 60
    return Rest(
        cpu=(processor_seconds(daemon) - before) / minutes,
        queries=int(server.ask("SELECT sum(calls) FROM pg_stat_statements "
                               "WHERE query !~ 'pg_stat_statements'")) / minutes,
        megabytes=resident_megabytes(daemon),
        writers=server.ask("SELECT DISTINCT regexp_replace(query, '^\\s*(\\S+ \\S+ \\S+).*', '\\1') "
                           "FROM pg_stat_statements WHERE wal_bytes > 0").splitlines())


def failover(worker, server, times):
    """How long after a kill of the daemon that works at a part another goes on with it."""
    server.clear()
    worker.call("migrate", "up")
    server.ask("DROP TABLE IF EXISTS rehearsal; "
               "CREATE TABLE rehearsal (moment timestamptz, part bigint, chunk bigint)")
    # Slow enough that every kill meets a part in the middle.
    server.ask("CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS "
               "$$ BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$; "
               "CREATE TRIGGER slow BEFORE INSERT ON rehearsal FOR EACH ROW EXECUTE FUNCTION slow()")
    daemons = []
    try:
        daemons += [start_quietly(worker), start_quietly(worker)]
        return [one_kill(daemons, worker, server) for _ in range(times)]
    finally:
        for daemon in daemons:
            daemon.kill()
            daemon.wait()
        server.clear()


def start_quietly(worker):
    """A daemon whose log somebody reads, so that it never waits for a reader."""
    daemon, _ = worker.start()
    threading.Thread(target=lambda: daemon.stderr.read(), daemon=True).start()
    return daemon


def one_kill(daemons, worker, server):
    run, number, epoch, holder = held_part(server)
    victim = next(daemon for daemon in daemons if f":{daemon.pid}:" in holder)
    victim.kill()
    begin = time.monotonic()
    victim.wait()
    until(lambda: int(server.ask(f"SELECT epoch FROM jobkit.part WHERE run = {run} AND number = {number} "
                                 "AND (state = 'running' OR epoch = 0)") or epoch) > int(epoch),
          "a part was taken up by nobody after a kill", pause=0.02)
    took = time.monotonic() - begin
    daemons[daemons.index(victim)] = start_quietly(worker)
    return took


def held_part(server):
    found = until(lambda: server.ask("SELECT run, number, epoch, daemon FROM jobkit.part WHERE state = 'running' "
                                     "AND done > 0 ORDER BY run DESC LIMIT 1"), "no part came further")
    return found.split("|")


def until(question, problem, pause=0.05):
    """What the question finds once it finds something, for a minute."""
    begin = time.monotonic()
    while not (found := question()):
        if time.monotonic() > begin + 60:
            raise SystemExit(f"measure: {problem} for a minute")
        time.sleep(pause)
    return found
