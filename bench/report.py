"""What stands above the tables: the machine, the settings, the commit, how to read it."""

import os
import platform

INTRODUCTION = """
Written by `script/bench`, which anyone can run; a figure that misses its bound (in brackets) stands here as it is. All
that was measured stands in [benchmark.jsonl](benchmark.jsonl), a line of JSON for each run. How the runner and the
leaderboard stand beside others: [peers](peers.md).

- **job**: the median over rounds of what the ledger says a run took that `worker run` did: claim, plan, chunks, fences
  and all. Between two measurements every table is put back to where it was; jobs and floors take turns, after a floor
  that does not count: who writes first pays for what is not in memory yet, and for pages that split.
- **floor**: the best plain SQL for the same rows, in one session of psql that is open already: `bench/floor/*.sql`. What
  one of them does less than the job its first lines say; `script/bench --check` holds its rows against the job's.
- **Procrastinate**, **loop**: the same as a task for each learner of that queue (a worker with 4 threads), or as a loop
  over learners in Python: `bench/peers`, of at most 2,000 learners, extrapolated to all at whom the job looks. A
  task goes by its job's rules, but for what its first lines say, and commits by itself; the check holds its rows too.
- **job in two parts**: the same run by two workers of `worker run` at once; of rewards, by `worker run` and a daemon
  beside it with a worker each, as two hosts would: the CPU and the memory are those of `worker run` alone. The rows
  are those of the run in one part.
- A lock is held to the end of its transaction: the longest is told by the oldest transaction that had written,
  asked ten times a second.
"""


HERE = os.path.dirname(os.path.abspath(__file__))


def tuning():
    """What was changed by what was measured, as somebody has written it down."""
    with open(os.path.join(HERE, "tuning.md")) as file:
        return file.read()


def model():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if "model name" in line]
    return names[0] if names else platform.machine()


def memory():
    with open("/proc/meminfo") as file:
        return int(file.readline().split()[1]) / 1024 / 1024


def machine(given, server):
    settings = ", ".join(f"{row['name']} = {row['value']}" for row in server.settings())
    return (
        f"Commit {given.commit}; {os.cpu_count()} × {model()}, {memory():.0f} GB; Linux {platform.release()}; "
        f"PostgreSQL {server.ask('SHOW server_version')}; load before the end {os.getloadavg()[1]:.1f}; "
        f"settings: {settings}.")


def introduction(given, server):
    return INTRODUCTION.strip().split("\n") + ["", machine(given, server)]
