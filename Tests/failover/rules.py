"""What must hold of the ledger, and of the effects, after every failover; and that each rule can be broken."""

import subprocess

# A row for each rule that is broken.
BROKEN = """
    SELECT 'ticks without exactly one row: ' || abs(span - rows) FROM (
      SELECT extract(epoch FROM max(scheduled_for) - min(coalesce(first_tick, scheduled_for)))::bigint + 1 AS span,
        sum(ticks) AS rows
      FROM jobkit.run) AS counted WHERE span <> rows
    UNION ALL
    SELECT 'ticks with several rows: ' || count(*) FROM (
      SELECT FROM jobkit.run GROUP BY scheduled_for HAVING count(*) > 1) AS doubled HAVING count(*) > 0
    UNION ALL
    SELECT 'runs that are not over, or failed: ' || count(*) FROM jobkit.run
    WHERE finished_at IS NULL OR state = 'failed' HAVING count(*) > 0
    UNION ALL
    SELECT 'effects that a run has not, or has twice: ' || count(*) FROM (
      SELECT FROM jobkit.run CROSS JOIN generate_series(0, 1) AS p CROSS JOIN generate_series(1, 5) AS c
        LEFT JOIN rehearsal ON (moment, part, chunk) = (scheduled_for, p, c)
      WHERE state = 'succeeded' GROUP BY id, p, c HAVING count(moment) <> 1) AS wrong HAVING count(*) > 0
    UNION ALL
    SELECT 'effects of no run that succeeded: ' || count(*) FROM rehearsal
    WHERE NOT EXISTS (SELECT FROM jobkit.run WHERE scheduled_for = moment AND state = 'succeeded')
      OR part NOT BETWEEN 0 AND 1 OR chunk NOT BETWEEN 1 AND 5
    HAVING count(*) > 0
    """

# How each is broken: the rules must notice, or they would notice nothing else either.
# It is not the first one: without that the ticks that are asked for would begin later, and none would be missing.
ONE = "(SELECT id FROM jobkit.run WHERE state = 'succeeded' ORDER BY id OFFSET 1 LIMIT 1)"
MOMENT = f"(SELECT scheduled_for FROM jobkit.run WHERE id = {ONE})"
SPOILED = {
    "ticks without exactly one row": f"DELETE FROM jobkit.run WHERE id = {ONE}",
    "ticks with several rows": "INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, decided_at, "
                               "decided_by, started_at, finished_at) SELECT job, scheduled_for, 'manual', state, "
                               f"0, decided_at, decided_by, started_at, finished_at FROM jobkit.run WHERE id = {ONE}",
    "runs that are not over, or failed": f"UPDATE jobkit.run SET state = 'failed' WHERE id = {ONE}",
    "effects that a run has not, or has twice": "INSERT INTO rehearsal SELECT * FROM rehearsal "
                                                f"WHERE (moment, part, chunk) = ({MOMENT}, 1, 3)",
    "effects of no run that succeeded": "INSERT INTO rehearsal VALUES ('2000-01-01', 0, 1)",
}


def broken(node, first=""):
    """The rules that are broken, after a change that is not kept."""
    words = node.psql(*(["BEGIN", first, BROKEN, "ROLLBACK"] if first else [BROKEN]))
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()


def blind(node):
    """The rules that do not notice when they are broken."""
    return [rule for rule, change in SPOILED.items()
            if not any(line.startswith(rule) for line in broken(node, change))]
