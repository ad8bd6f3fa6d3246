"""detect_streak_breaks for one learner: brings the streak up to date, with its tokens, repairs and awards.

A task reads the learner's whole history, which is one day after the other and no more than some hundred. Left out
are days that a zone has skipped, as Samoa's did that of 30 December 2011: here they break a streak.
"""

from .aside import CAN_BE, put_aside, put_sessions_aside
from .chains import Chain
from .clocks import DAY, zone_named
from .fold import Fold, Repair, Streak
from .purse import Purse

JOB = "detect_streak_breaks"


def streak(connection, learner, at):
    bring_up_to_date(connection, learner, at, JOB)
    put_sessions_aside(connection, learner, at, JOB)


def bring_up_to_date(connection, learner, at, job):
    row = locked(connection, learner) or begun(connection, learner, at)
    if row is None:
        return
    zone = zone_named(row.zone)
    if zone is None:
        connection.execute("DELETE FROM learning.streaks WHERE user_id = %s AND longest = 0", (learner,))
        return put_aside(connection, learner, [("users", "", "unknown_zone")], at, job)
    saved = saved_streak(row)
    until = max(at, row.changed_at)
    fold = Fold(zone, row.wants_repair_since, saved, repairs(connection, learner),
                studies(connection, learner, until), purse(connection, learner))
    fold.go_on(until)
    if fold.streak != saved:
        save_streak(connection, learner, fold.streak)
    save_changes(connection, learner, fold)


def locked(connection, learner):
    """The streak, which stays the task's until the end of its transaction: nobody else counts its tokens."""
    return connection.execute(
        "SELECT zone, CASE WHEN auto_repair THEN users.changed_at END AS wants_repair_since, state, length, longest, "
        "started_on, last_day, missed_day, check_at, streaks.changed_at FROM learning.streaks "
        "JOIN learning.users USING (user_id) WHERE user_id = %s FOR UPDATE OF streaks", (learner,)).fetchone()


def begun(connection, learner, at):
    """A new streak, for a learner who has studied."""
    connection.execute(
        "INSERT INTO learning.streaks (user_id, state, length, longest, changed_at) SELECT %s, 'none', 0, 0, %s "
        f"WHERE EXISTS (SELECT FROM learning.sessions WHERE user_id = %s AND completed AND {CAN_BE} "
        "AND server_received_at <= %s) ON CONFLICT DO NOTHING", (learner, at, learner, at))
    return locked(connection, learner)


def saved_streak(row):
    """The streak as it was saved; nothing when it has only just been begun."""
    if row.longest == 0:
        return None
    chain = Chain(row.started_on, row.last_day, row.length) if row.length else None
    return Streak(row.state, chain, row.longest, row.missed_day, row.check_at, row.changed_at)


def repairs(connection, learner):
    """Locked, as the app turns an offer into an accepted one at any moment."""
    rows = connection.execute("SELECT day, state, offered_at, accepted_at, ended_at FROM learning.streak_repairs "
                              "WHERE user_id = %s FOR UPDATE", (learner,))
    return {row.day: Repair(*row[1:]) for row in rows}


def studies(connection, learner, until):
    """When the first study of each day was received, and the day, in that order."""
    return connection.execute(
        "SELECT min(server_received_at) AS received_at, local_day FROM learning.sessions WHERE user_id = %s "
        f"AND completed AND {CAN_BE} AND server_received_at <= %s GROUP BY local_day ORDER BY received_at, local_day",
        (learner, until)).fetchall()


def purse(connection, learner):
    entries = connection.execute("SELECT entry, amount FROM learning.token_entries WHERE user_id = %s", (learner,))
    reached = connection.execute("SELECT started_on, days, kind FROM learning.awards "
                                 "WHERE user_id = %s AND reason = 'milestone'", (learner,))
    return Purse(entries.fetchall(), reached.fetchall())


def save_streak(connection, learner, new):
    started_on, last_day, length = new.chain or (None, None, 0)
    connection.execute(
        "UPDATE learning.streaks SET state = %s, length = %s, longest = %s, started_on = %s, last_day = %s, "
        "missed_day = %s, repairable_until = %s, check_at = %s, changed_at = %s WHERE user_id = %s",
        (new.state, length, new.longest, started_on, last_day, new.missed_day,
         new.missed_day and new.missed_day + DAY, new.check_at, new.changed_at, learner))


def save_changes(connection, learner, fold):
    cursor = connection.cursor()
    if fold.events:
        cursor.executemany(
            "INSERT INTO learning.streak_events (user_id, number, event, day, cause, length_before, length_after, at) "
            "SELECT %s, coalesce(max(number), 0) + 1, %s, %s, %s, %s, %s, %s FROM learning.streak_events "
            "WHERE user_id = %s", [(learner, *event, learner) for event in fold.events])
    changed = [(day, fold.repairs[day]) for day in sorted(fold.changed_repairs)]
    if changed:
        cursor.executemany(
            "INSERT INTO learning.streak_repairs (user_id, day, state, offered_at, accepted_at, ended_at) "
            "VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (user_id, day) DO UPDATE SET state = excluded.state, "
            "offered_at = excluded.offered_at, accepted_at = excluded.accepted_at, ended_at = excluded.ended_at",
            [(learner, day, it.state, it.offered_at, it.accepted_at, it.ended_at) for day, it in changed])
    save_purse(cursor, learner, fold.purse)


def save_purse(cursor, learner, purse):
    if purse.entries:
        cursor.executemany("INSERT INTO learning.token_entries (user_id, entry, amount, reason, at) "
                           "VALUES (%s, %s, %s, %s, %s)", [(learner, *entry) for entry in purse.entries])
        cursor.execute("INSERT INTO learning.brain_tokens (user_id, balance) VALUES (%s, %s) "
                       "ON CONFLICT (user_id) DO UPDATE SET balance = excluded.balance", (learner, purse.balance))
    if purse.awards:
        cursor.executemany("INSERT INTO learning.awards (user_id, started_on, days, kind, reason, at) "
                           "VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                           [(learner, *award) for award in purse.awards])
