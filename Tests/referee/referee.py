#!/usr/bin/env python3
"""Judges a simulated world by docs/learning.md: usage: referee.py PSQL CONNECTION-STRING [WITNESS]

It shares no code with the program. It reads the world's history and what the jobs have written, works
out everything anew, prints a line for each thing that must hold and for each row that breaks it, and ends
with 1 when there is any.
"""

import sys
import time

from boards import Boards
from facts import Database, Facts, Verdict
from pushes import Pushes
from reviews import Reviews
from rewards import Rewards
from streaks import Streaks
from witness import Witness

PARTS = [
    (Pushes, ["schedule_daily_push", "deliver_pushes"]), (Streaks, ["detect_streak_breaks"]),
    (Rewards, ["settle_rewards"]), (Reviews, ["recommend_review"]), (Boards, ["refresh_leaderboard"]),
]


def main(psql, url, witness=None):
    facts, verdict = Facts(Database(psql, url)), Verdict()
    zones = {state.zone for states in facts.states.values() for state in states}
    days = (facts.end - facts.begin) // 86_400
    print(f"{len(facts.states)} learners in {len(zones)} zones over {days} days")
    for part, jobs in PARTS:
        missing = [job for job in jobs if job not in facts.ran]
        if missing:
            verdict.check(f"{part.__name__}: jobs that never ran", len(jobs), missing)
            continue
        began = time.monotonic()
        part(facts, verdict).judge()
        print(f"      ({part.__name__} in {time.monotonic() - began:.1f} s)")
    if witness:
        Witness(facts, verdict, witness).judge()
    return 1 if verdict.broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
