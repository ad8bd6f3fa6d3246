"""What stands around the tables: how to read them, and by which program, on which machine they came about."""

import json
import os
import platform
import subprocess

INTRODUCTION = """
Written by `script/bench`, which anyone can run; a figure that misses its bound (in brackets) stands here as it is. All
that was measured stands in [benchmark.jsonl](benchmark.jsonl), a line of JSON for each run. How the runner and the
leaderboard stand beside others: [peers](peers.md). Why a bound is missed, and what was changed by these figures:
[tuning](../bench/tuning.md).

## How to read it

| figure | is |
|---|---|
| **job** | the median over rounds of what the ledger says a run took that `worker run` did in one part: claim, plan, \
chunks, fences and all |
| **floor** | the best plain SQL for the same rows, in one session of psql that is open already: `bench/floor/*.sql`. \
What one of them does less than the job its first lines say; `script/bench --check` holds its rows against the job's |
| **Procrastinate** | the same as a task for each learner of that queue, in a process with 4 threads: `bench/peers`, \
once. A task goes by its job's rules, but for what its first lines say, and commits by itself; the check holds its rows \
too |
| **loop** | the same as a loop over learners in Python: `bench/peers`, once |
| learners of Procrastinate and loop | all at whom the job looks; where these are more than 30,000 (2,000, of what was \
measured before 27 November 2026), 2,000 of them, a hundred neighbours at a time, extrapolated to all |
| **dry run** | once, from the beginning of its process to its end, as it leaves nothing in the ledger |
| **job in two parts** | the same run by two workers of `worker run` at once, as these jobs come unless settings say \
otherwise (`parts`); of rewards, by two daemons with a worker each, as on two hosts, for which the run waits and which \
begin at once: the CPU is that of both, the memory that of the larger |
| **two Procrastinates** | two such processes |
| longest lock | a lock is held to the end of its transaction: the longest is told by the oldest transaction that had \
written, asked ten times a second |
| a rank | is read 5 ms after the one before, by turns while no other session works and from a refresh's beginning to its \
end by the ledger; no session asks the server for transactions meanwhile |
| **load** | what stood in line for processors when a round began: the most of all rounds |
| **taken by the host** | how much of the processors' time others had on the machine below this one: the most of all \
rounds |

A round is the job, its floor and the job in two parts, one after the other, after a floor that does not count, or a job
that has none: the first that writes pays for what is not in memory yet, and for pages that split. Between two
measurements every table is put back to where it was. A first look at the streaks of all learners is taken once, and
stays.
"""


def model():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if "model name" in line]
    return names[0] if names else platform.machine()


def memory():
    with open("/proc/meminfo") as file:
        return int(file.readline().split()[1]) / 1024 / 1024


def commit(worker):
    """Which commit a program was built from, by itself: a plus is behind it when something had been changed."""
    said = subprocess.run([worker, "version", "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(said)["commit"]


def origin(worker, server):
    """What a figure is of: the program, the machine, the server."""
    settings = ", ".join(f"{row['name']} = {row['value']}" for row in server.settings())
    return (
        f"commit {commit(worker)}; {os.cpu_count()} × {model()}, {memory():.0f} GB; "
        f"Linux {platform.release().split('-')[0]}; PostgreSQL {server.ask('SHOW server_version')}; "
        f"settings: {settings}")
