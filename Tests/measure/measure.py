"""Measures the runner on a PostgreSQL of its own and writes docs/measurements.md."""

import argparse
import os
import platform
import statistics
import sys

from daemons import failover, idle, start_to_ready
from runner import Server, Worker
from stopwatch import lateness, parts, percentile
from table import Row, page


def lateness_rows(late, where, bound):
    return [
        Row(f"lateness of {len(values)} ticks of a {job}{where}, p50 / p99, ms", bound(job),
            f"{percentile(values, 0.5):.2f} / {percentile(values, 0.99):.2f}")
        for job, values in late.items() if values
    ]


def measure(given, server):
    worker = Worker(given.worker, server)
    rehearsing = Worker(given.debug_worker, server, WORKER_REHEARSAL="rehearse")
    say = lambda text: print(f"measure: {text}", file=sys.stderr, flush=True)
    rows = []
    say("start to ready")
    starts = start_to_ready(worker, 21)
    rows.append(Row("start of the process to ready, median of 21, ms", "30",
                    f"{statistics.median(starts) * 1000:.1f}"))
    say(f"an idle daemon, {given.idle} s")
    rest = idle(worker, server, given.idle)
    rows += [
        Row("idle: processor, s/min", "0.1", f"{rest.cpu:.3f}"),
        Row("idle: queries/min", "60", f"{rest.queries:.0f}"),
        Row("idle: memory, MB", "20", f"{rest.megabytes:.1f}"),
        Row("idle: statements that write WAL", "heartbeats", ", ".join(rest.writers) or "none"),
    ]
    say("a killed daemon")
    takeovers = failover(rehearsing, server, given.kills)
    rows.append(Row(f"SIGKILL of a daemon to its part going on elsewhere, longest of {given.kills}, s",
                    "16", f"{max(takeovers):.1f}"))
    say("parts that do nothing")
    most = parts(given.stopwatch, server)
    rows += [
        Row("parts that do nothing, each claimed, run and ended by itself, /s", "at least 2,000",
            f"{most['one']:,}"),
        Row("the same claimed and ended in batches, history kept, /s", "at least 20,000",
            f"{most['batch']:,}"),
    ]
    say(f"lateness, {given.ticks} s")
    late = lateness(given.stopwatch, server, given.ticks + 2)
    rows += lateness_rows(late, "", lambda job: "2 / 5")
    say(f"lateness under full load, {given.loaded} s")
    with server.load():
        late = lateness(given.stopwatch, server, given.loaded + 2)
    rows += lateness_rows(late, ", the database at full load", lambda job: "– / 50")
    return rows


def machine(server):
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if "model name" in line),
                 platform.machine())
    return [f"{os.cpu_count()} × {model}", f"Linux {platform.release()}",
            f"PostgreSQL {server.ask('SHOW server_version')}", f"settings: {server.settings()}"]


def main():
    reader = argparse.ArgumentParser(description=__doc__)
    for name in ["worker", "debug-worker", "stopwatch", "bin", "scratch", "commit", "page"]:
        reader.add_argument(f"--{name}", required=True)
    for name, usual in [("ticks", 600), ("loaded", 120), ("idle", 120), ("kills", 5)]:
        reader.add_argument(f"--{name}", type=int, default=usual)
    given = reader.parse_args()
    server = Server(given.bin, given.scratch)
    rows = measure(given, server)
    text = page(rows, machine(server), given)
    with open(given.page, "w") as file:
        file.write(text)
    print(text)


main()
