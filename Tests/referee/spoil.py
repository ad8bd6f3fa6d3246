#!/usr/bin/env python3
"""Sees whether the referee can see: usage: spoil.py PSQL CONNECTION-STRING [WITNESS]

The database is a copy of a world in which the referee has found nothing. For each thing that must hold it
plants one row that breaks it, each of a learner of its own, and ends with 1 unless the referee names every one.
"""

import os
import re
import subprocess
import sys

from witness import identifier

# Learners who have never changed, so that one row more or less has one meaning.
CONSTANT = "(SELECT user_id FROM demo.users GROUP BY user_id HAVING count(*) = 1)"


def push(change, where="sent_at IS NOT NULL", more=""):
    """Changes one push of the learner who has the first that fits."""
    return f"""
        UPDATE learning.notifications AS push SET {change} FROM (
          SELECT user_id, local_day FROM learning.notifications
          JOIN learning.users AS learner USING (user_id) {more}
          WHERE {where} AND learner.quiet_from IS NULL AND user_id IN {CONSTANT} AND user_id <> ALL (%s)
          ORDER BY user_id, local_day LIMIT 1) AS chosen
        WHERE (push.user_id, push.local_day) = (chosen.user_id, chosen.local_day) RETURNING push.user_id"""


def copied_push(days, change):
    """Adds a push beside one that was sent, on a day long before on which there is no other."""
    return f"""
        INSERT INTO learning.notifications
        SELECT (jsonb_populate_record(push, jsonb_build_object('local_day', local_day - {days}{change}))).*
        FROM learning.notifications AS push
        WHERE sent_at IS NOT NULL AND user_id IN {CONSTANT} AND user_id <> ALL (%s)
        ORDER BY user_id, local_day LIMIT 1 RETURNING user_id"""


def one(table, where, change=None, order="user_id"):
    """Changes or deletes one row of a table."""
    verb = f"UPDATE learning.{table} SET {change}" if change else f"DELETE FROM learning.{table}"
    return f"""
        {verb} WHERE ctid = (
          SELECT ctid FROM learning.{table}
          WHERE {where} AND user_id IN {CONSTANT} AND user_id <> ALL (%s) ORDER BY {order} LIMIT 1)
        RETURNING user_id"""


AT_NIGHT = "(push.local_day + time '03:00') AT TIME ZONE push.zone"
TOO_LATE = "push.window_to + interval '1 minute'"

# How many pushes of each learner were sent.
OTHERS = ("JOIN (SELECT user_id, count(sent_at) AS sent FROM learning.notifications GROUP BY 1) AS others"
          " USING (user_id)")

SPOILS = {
    "pushes sent in quiet hours": push(f"sent_at = {AT_NIGHT}, sending_at = {AT_NIGHT}"),
    "pushes sent outside their window": push(f"sent_at = {TOO_LATE}, sending_at = {TOO_LATE}"),
    "pushes to whom none may go": f"""
        DELETE FROM learning.devices WHERE user_id = (
          SELECT user_id FROM learning.notifications
          WHERE sent_at IS NOT NULL AND user_id IN {CONSTANT} AND user_id <> ALL (%s)
          ORDER BY user_id LIMIT 1) RETURNING user_id""",
    "pushes on another local day than theirs": push("local_day = push.local_day - 400"),
    "second pushes on a local day": copied_push(300, ""),
    "pushes within eight hours of another": copied_push(
        200, ", 'sent_at', sent_at - interval '1 h', 'sending_at', sending_at - interval '1 h'"),
    "pushes sent although a study has overtaken them": push(
        "evidence_at = evidence_at - interval '1 h'", "sent_at IS NOT NULL AND kind = 'follow_up'"),
    "windows that the rules do not give": push(
        "window_from = window_from + interval '10 min', window_to = window_to + interval '10 min'"),
    "reasons that are not true": push(
        "reason = 'no_consent'", "reason IS NOT NULL AND learner.audience <> 'child'"),
    "pushes left undecided or unsent": push("state = 'sending'"),
    "pushes that stayed expired beside a study to follow up": push(
        "state = 'expired', reason = 'window_passed', sent_at = NULL, sending_at = NULL, window_to = window_from",
        "sent_at IS NOT NULL AND kind = 'follow_up' AND others.sent > 1", OTHERS),
    "learner-days without a push and without a reason": f"""
        DELETE FROM learning.notifications WHERE (user_id, local_day) = (
          SELECT user_id, local_day FROM learning.notifications JOIN learning.users USING (user_id), demo.world
          WHERE local_day = begins_at::date + 2 AND created_at < begins_at - interval '5 days'
            AND user_id IN {CONSTANT} AND user_id <> ALL (%s)
          ORDER BY user_id LIMIT 1) RETURNING user_id""",
    "learners in the holdout on some days only": push(
        "reason = 'holdout'", "sent_at IS NOT NULL AND others.sent > 1", OTHERS),
    "streaks that the rules do not give": one("streaks", "length > 0", "length = length + 1"),
    "token entries that the rules do not give": one("token_entries", "true"),
    "token balances that are not the sum of their entries": one(
        "brain_tokens", "true", "balance = (balance + 1) % 4"),
    "milestones that the rules do not give": one("awards", "reason = 'milestone'"),
    "rewards that did not become what they must": one(
        "reward_pending", "state = 'settled'", "state = 'rejected', reason = 'unknown_kind'"),
    "entries that differ from what was settled": one("reward_entries", "true", "xp = xp + 1"),
    "balances that are not the sum of their entries": one("balances", "true", "xp = xp + 1"),
    "measures that the formula does not give": one("pattern_conquest", "ewma > 0", "ewma = ewma / 2"),
    "reviews of a latest day that the rules do not give": one(
        "reviews", "rank = 1", "sentences = sentences + 1", order="local_day DESC, user_id"),
    "rows of a leaderboard that a direct sort does not give": one(
        "leaderboard_entries", "period = 'all' AND EXISTS (SELECT FROM learning.leaderboards"
        " WHERE is_current AND since <= version AND until > version)", "score = score + 1"),
}

# The database itself refuses many of these rows.
LETS_EVERYTHING_IN = """
    DO $$ DECLARE rule record; BEGIN
      FOR rule IN SELECT conrelid::regclass AS place, conname FROM pg_constraint
        WHERE contype = 'c' AND connamespace = 'learning'::regnamespace
      LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', rule.place, rule.conname); END LOOP;
    END $$"""


def run(psql, url, *statements):
    words = [word for statement in statements for word in ("--command", statement)]
    return subprocess.run([psql, "--no-psqlrc", "--quiet", "-At", "--set=ON_ERROR_STOP=1", "--dbname", url, *words],
                          check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def plant(psql, url):
    """Spoils a row for each check; the learner whose it is."""
    run(psql, url, LETS_EVERYTHING_IN)
    planted = {}
    for what, statement in SPOILS.items():
        taken = "'{" + ",".join(planted.values()) + "}'::bigint[]"
        found = run(psql, url, "SET session_replication_role = replica", statement.replace("%s", taken))
        assert found, f"there is no row to spoil for '{what}'"
        planted[what] = found[0]
    return planted


def plant_in(witness, psql, url, taken):
    """Spoils a line of a provider's list for each check; what the referee must say of it."""
    rows = run(psql, url, f"""
        SELECT user_id, min(local_day), max(local_day),
          extract(epoch FROM min((local_day + time '03:00') AT TIME ZONE push.zone))::bigint
        FROM learning.notifications AS push JOIN learning.notification_events USING (user_id, local_day)
          JOIN learning.users AS learner USING (user_id)
        WHERE event = 'push_sent' AND learner.quiet_from IS NULL AND user_id IN {CONSTANT}
          AND user_id <> ALL ('{{{",".join(taken)}}}'::bigint[])
        GROUP BY user_id HAVING count(*) > 1 ORDER BY user_id LIMIT 5""")
    (twice, unknown, quiet, second, missing) = (row.split("|") for row in rows)
    with open(witness) as file:
        got = {what: moment for moment, what in (line.split() for line in file)}
    first = [identifier(*row[:2]) for row in (twice, unknown, quiet, second, missing)]
    nobody = identifier(0, "2000-01-01")
    got[nobody] = got.pop(first[1])
    got[first[2]] = f"{quiet[3]}000000"
    got[first[3]] = got[identifier(second[0], second[2])]
    del got[first[4]]
    with open(f"{witness}-spoilt", "w") as file:
        file.writelines(f"{moment} {what}\n" for what, moment in [*got.items(), (first[0], got[first[0]])])
    return {
        "pushes that the provider got twice": f"learner {twice[0]}",
        "pushes that the provider got without a row": nobody,
        "pushes that the provider got in quiet hours": f"learner {quiet[0]}",
        "second pushes on a local day that the provider got": f"learner {second[0]}",
        "sent pushes that the provider never got": f"learner {missing[0]}",
    }


def main(psql, url, witness=None):
    learners = plant(psql, url)
    planted = {what: f"learner {learner}" for what, learner in learners.items()}
    spoilt = []
    if witness:
        planted |= plant_in(witness, psql, url, learners.values())
        spoilt = [f"{witness}-spoilt"]
    referee = os.path.join(os.path.dirname(os.path.abspath(__file__)), "referee.py")
    said = subprocess.run([sys.executable, referee, psql, url, *spoilt], stdout=subprocess.PIPE, text=True)
    blocks = {}
    for line in said.stdout.splitlines():
        if mark := re.match(r"(ok |NOT) (.*): \d+ of \d+$", line):
            what = mark[2]
            blocks[what] = ""
        elif blocks:
            blocks[what] += line + "\n"
    unknown = blocks.keys() - planted.keys()
    blind = [what for what, words in planted.items() if not re.search(rf"\b{words}\b", blocks.get(what, ""))]
    for what in sorted(unknown):
        print(f"NOT spoilt by anything: {what}")
    for what in blind:
        print(f"NOT seen: {what}, of {planted[what]}\n{blocks.get(what, '')}")
    print(f"{len(planted) - len(blind)} of {len(planted)} wrong rows were seen")
    return 1 if unknown or blind or said.returncode != 1 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
