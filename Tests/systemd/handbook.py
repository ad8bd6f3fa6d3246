"""The commands that deploy/systemd/README.md shows, run as they stand there."""

import itertools
import os
import subprocess

from service import change, is_active, run, show, sql, wait

PAGE = "deploy/systemd/README.md"


def blocks(heading):
    """The commands under a heading: what is indented, from one line of text to the next."""
    with open(PAGE) as file:
        section = file.read().split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = section.splitlines()
    for is_code, group in itertools.groupby(lines, lambda line: line.startswith("    ")):
        if is_code:
            yield "\n".join(line[4:] for line in group)


def follow(heading, stdin=""):
    """Does what stands under a heading, from the top of the sources."""
    found = list(blocks(heading))
    assert found, f"nothing is shown under '{heading}'"
    for block in found:
        done = subprocess.run(["/bin/sh", "-euc", block], input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, env={**os.environ, "SYSTEMD_PAGER": ""})
        assert done.returncode == 0, f"{block}\nended with {done.returncode}: {done.stdout}"


def changes_the_version():
    """in an upgrade by the handbook no tick of a job of every second waits for a daemon"""
    change('every = "2s"', 'every = "1s"')
    run("systemctl", "start", "worker")
    sql("CREATE TABLE upgrade AS SELECT now() AS since")
    follow("Upgrade without a gap")
    assert is_active() and show("ActiveState", "worker@next") == "inactive"
    ticks = "FROM jobkit.run, upgrade WHERE scheduled_for > since AND job = 'settle_rewards'"
    wait("a tick after it", lambda: sql(f"SELECT max(scheduled_for) > since + interval '3s' {ticks} GROUP BY since") == "t")
    assert sql(f"SELECT max(decided_at - scheduled_for) < interval '1s' {ticks}") == "t"


def drains_and_rolls_back():
    """a longer drain and the way back are as the handbook says"""
    follow("Drain")
    assert "--drain 10m" in show("ExecStart")
    follow("Roll back")
    assert is_active()


def runs_all_else():
    """what the handbook shows besides runs, too"""
    for heading in ("Change the settings", "Several on one host", "What it may do"):
        follow(heading)
    assert is_active()


def moves_the_database():
    """the database moves, and the ledger goes on there"""
    before = int(sql("SELECT count(*) FROM jobkit.run"))
    follow("Move the database")
    assert is_active()
    assert int(sql("SELECT count(*) FROM jobkit.run", "worker_new")) >= before
    assert sql("SELECT count(*) FROM pg_stat_activity WHERE datname = 'worker' AND usename = 'worker'") == "0"


STEPS = [changes_the_version, drains_and_rolls_back, runs_all_else, moves_the_database]
