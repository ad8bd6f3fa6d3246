"""What must hold of the ledger, and of the logs, when a storm is over."""


def judge(storm):
    sql, failures = storm.server.sql, []
    # What comes due once the daemons have been told to end is decided by nobody.
    audit = storm.call("audit", "--to", storm.over)
    if audit.returncode != 0:
        failures.append("ticks without a row:\n" + audit.stdout + audit.stderr)
    doubled = sql("SELECT count(*) FROM (SELECT FROM jobkit.run WHERE trigger = 'schedule' "
                  "GROUP BY job, scheduled_for HAVING count(*) > 1) AS doubled")
    if doubled != "0":
        failures.append(f"{doubled} ticks have several rows")
    wrong = sql("""
        SELECT count(*) FROM jobkit.run
        LEFT JOIN (SELECT moment, count(*) AS chunks FROM rehearsal GROUP BY moment) AS effect
          ON moment = scheduled_for
        WHERE coalesce(chunks, 0) <> CASE state WHEN 'succeeded' THEN 10 ELSE 0 END""")
    if wrong != "0":
        failures.append(f"{wrong} runs have too few or too many effects")
    stray = sql("SELECT count(*) FROM rehearsal WHERE moment NOT IN (SELECT scheduled_for FROM jobkit.run)")
    if stray != "0":
        failures.append(f"{stray} effects belong to no run")
    for zombie in storm.zombies:
        if zombie.was_replaced and zombie.verdict() is None:
            failures.append(f"who slept through the lease of run {zombie.run} part {zombie.part} said nothing of "
                            f"its end: see {zombie.daemon.path}")
    return failures


def report(storm):
    states = storm.server.sql("SELECT string_agg(n || ' ' || state, ', ') FROM "
                              "(SELECT state, sum(ticks) AS n FROM jobkit.run GROUP BY state ORDER BY state) AS states")
    lost = storm.server.sql("SELECT coalesce(sum(worker_losses), 0) FROM jobkit.part")
    zombies = [zombie for zombie in storm.zombies if zombie.was_replaced]
    verdicts = [zombie.verdict() for zombie in zombies]
    happened = ", ".join(f"{count} {kind}" for kind, count in storm.counts.items())
    print(f"storm: {happened}; ticks: {states}; parts taken over: {lost}; of {len(zombies)} who slept through "
          f"their lease the late writes: {verdicts.count('refused')} refused, {verdicts.count('cut off')} lost with "
          "their connection")
