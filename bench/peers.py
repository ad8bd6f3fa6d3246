"""The jobs as an ordinary worker would do them: a task for each learner, in Python.

Each task reads what it needs of its learner, decides in a few lines, and writes in a transaction of its own. It does
less than the job (no habits, no quiet hours, no late evidence), so what it takes is a lower bound.
"""

import datetime
import math

DAY = datetime.timedelta(days=1)


def review(connection, learner, at):
    latest = {}
    for pattern, *answer in connection.execute(
            "SELECT pattern_id, correct, hint_used, first_try, received_at FROM learning.attempts WHERE user_id = %s "
            "AND answered_at <= received_at AND received_at <= %s ORDER BY answered_at DESC, attempt_id DESC",
            (learner, at)):
        latest.setdefault(pattern, []).append(answer)
    measured = []
    for pattern, answers in latest.items():
        answers = answers[:50]
        average = float(answers[-1][0])
        for correct, *_ in answers[-2::-1]:
            average = 0.1 * correct + 0.9 * average
        hints, firsts = (sum(answer[place] for answer in answers) / len(answers) for place in (1, 2))
        conquest = average * math.sqrt(1 - hints) * math.sqrt(firsts)
        measured.append((conquest, pattern, average, hints, firsts, len(answers), max(row[3] for row in answers)))
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO learning.pattern_conquest (user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest, "
            "trend, attempts, measured_at) VALUES (%s, %s, %s, %s, %s, %s, 'steady', %s, %s) "
            "ON CONFLICT (user_id, pattern_id) DO UPDATE SET ewma = excluded.ewma, conquest = excluded.conquest, "
            "hint_rate = excluded.hint_rate, first_try_rate = excluded.first_try_rate, "
            "attempts = excluded.attempts, measured_at = excluded.measured_at",
            [(learner, row[1], row[2], row[3], row[4], row[0], row[5], row[6]) for row in measured])
        cursor.execute("DELETE FROM learning.reviews WHERE user_id = %s AND local_day = %s", (learner, at.date()))
        weakest = sorted(row for row in measured if row[5] >= 5)[:3]
        cursor.executemany(
            "INSERT INTO learning.reviews (user_id, local_day, rank, pattern_id, difficulty, sentences, locked, "
            "conquest, at) VALUES (%s, %s, %s, %s, 'basic', 8, %s, %s, %s)",
            [(learner, at.date(), rank, row[1], rank > 1, row[0], at) for rank, row in enumerate(weakest, 1)])


def push(connection, learner, at):
    learner_row = connection.execute(
        "SELECT zone, status, push_opt_in, locale FROM learning.users WHERE user_id = %s", (learner,)).fetchone()
    device = connection.execute("SELECT 1 FROM learning.devices WHERE user_id = %s AND invalidated_at IS NULL LIMIT 1",
                                (learner,)).fetchone()
    studies = connection.execute(
        "SELECT ended_at, local_day FROM learning.sessions WHERE user_id = %s AND completed AND ended_at > %s "
        "AND server_received_at <= %s ORDER BY ended_at", (learner, at - 21 * DAY, at)).fetchall()
    streak = connection.execute("SELECT state, length FROM learning.streaks WHERE user_id = %s", (learner,)).fetchone()
    connection.execute("SELECT local_day, state FROM learning.notifications WHERE user_id = %s AND local_day >= %s",
                       (learner, at.date() - 4 * DAY)).fetchall()
    zone, status, opted_in, locale = learner_row
    start = (studies[-1][0] if studies else at) + datetime.timedelta(minutes=45)
    goes_out = status == "active" and opted_in and device is not None
    connection.execute(
        "INSERT INTO learning.notifications (user_id, local_day, state, reason, kind, zone, window_from, window_to, "
        "due_at, template, locale, streak_days, planned_at, ended_at) "
        "VALUES (%s, %s, %s, %s, 'reminder', %s, %s, %s, %s, 'basic', %s, %s, %s, %s) ON CONFLICT DO NOTHING",
        (learner, at.date(), "planned" if goes_out else "suppressed", None if goes_out else "no_device", zone, start,
         start + datetime.timedelta(minutes=45), start, locale, streak[1] if streak else 0, at,
         None if goes_out else at))
    connection.execute("INSERT INTO learning.push_agenda VALUES (%s, %s, %s) ON CONFLICT (user_id) "
                       "DO UPDATE SET look_at = excluded.look_at, looked_at = excluded.looked_at",
                       (learner, start + DAY, at))


def streak(connection, learner, at):
    row = connection.execute(
        "SELECT state, length, last_day, check_at, zone FROM learning.streaks JOIN learning.users USING (user_id) "
        "WHERE user_id = %s FOR UPDATE OF streaks", (learner,)).fetchone()
    purse = connection.execute("SELECT balance FROM learning.brain_tokens WHERE user_id = %s", (learner,)).fetchone()
    connection.execute("SELECT DISTINCT local_day FROM learning.sessions WHERE user_id = %s AND completed "
                       "AND ended_at > %s", (learner, at - 8 * DAY)).fetchall()
    if row is None or row[1] == 0:
        return
    if row[0] == "kept" and purse and purse[0] > 0:
        connection.execute(
            "UPDATE learning.streaks SET state = 'repairable', missed_day = last_day + 1, "
            "repairable_until = last_day + 2, check_at = check_at + interval '1 day', changed_at = check_at "
            "WHERE user_id = %s", (learner,))
        connection.execute("INSERT INTO learning.streak_repairs VALUES (%s, %s, 'offered', %s) ON CONFLICT DO NOTHING",
                           (learner, row[2] + DAY, row[3]))
    else:
        connection.execute(
            "UPDATE learning.streaks SET state = 'none', length = 0, started_on = NULL, last_day = NULL, "
            "missed_day = NULL, repairable_until = NULL, check_at = NULL, changed_at = %s WHERE user_id = %s",
            (at, learner))
    connection.execute(
        "INSERT INTO learning.streak_events SELECT %s, coalesce(max(number), 0) + 1, 'reset', %s, "
        "'missed_without_token', %s, 0, %s FROM learning.streak_events WHERE user_id = %s",
        (learner, at.date(), row[1], at, learner))


def reward(connection, learner, at):
    for queue_id, key, kind, amount, session in connection.execute(
            "SELECT queue_id, idempotency_key, kind, amount, session_id FROM learning.reward_pending "
            "WHERE user_id = %s AND state = 'pending' ORDER BY queue_id FOR UPDATE", (learner,)).fetchall():
        connection.execute("SELECT completed FROM learning.sessions WHERE user_id = %s AND session_id = %s",
                           (learner, session)).fetchone()
        paid = connection.execute(
            "INSERT INTO learning.reward_entries VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
            (learner, key, queue_id, kind, max(0, amount), max(0, amount), at)).rowcount
        if paid:
            connection.execute(
                "INSERT INTO learning.balances AS balance VALUES (%s, %s, %s) ON CONFLICT (user_id) DO UPDATE "
                "SET score = balance.score + excluded.score, xp = balance.xp + excluded.xp",
                (learner, max(0, amount), max(0, amount)))
        connection.execute("UPDATE learning.reward_pending SET state = %s, reason = %s, settled_at = %s "
                           "WHERE user_id = %s AND queue_id = %s",
                           ("settled" if paid else "duplicate", None if paid else "key_taken", at, learner, queue_id))


def deliver(connection, learner, at):
    claimed = connection.execute(
        "UPDATE learning.notifications SET state = 'sending', owner = 'peer', sending_at = now() "
        "WHERE user_id = %s AND state = 'planned' AND due_at <= now() RETURNING local_day, template", (learner,)).fetchone()
    device = connection.execute("SELECT token FROM learning.devices WHERE user_id = %s AND invalidated_at IS NULL "
                                "ORDER BY registered_at DESC LIMIT 1", (learner,)).fetchone()
    connection.commit()
    if claimed is None or device is None:
        return
    with open("/dev/null", "w") as log:
        log.write(f"push to {device[0][:6]}\n")
    connection.execute("UPDATE learning.notifications SET state = 'sent', owner = NULL, sent_at = now() "
                       "WHERE user_id = %s AND local_day = %s", (learner, claimed[0]))
    connection.execute("INSERT INTO learning.notification_events (user_id, local_day, event, at) "
                       "VALUES (%s, %s, 'push_sent', now()) ON CONFLICT DO NOTHING", (learner, claimed[0]))


TASKS = {"review": review, "push": push, "streak": streak, "reward": reward, "deliver": deliver}

# Whom a task would be made for: those at whom the job looks.
LEARNERS = {
    "review": "SELECT user_id FROM learning.users WHERE '{since}' = '' UNION SELECT user_id FROM learning.attempts "
              "WHERE received_at > coalesce(nullif('{since}', '')::timestamptz, 'infinity') AND received_at <= '{at}'",
    "push": "SELECT user_id FROM learning.push_agenda WHERE look_at <= '{at}'::timestamptz + interval '5 minutes' "
            "UNION SELECT user_id FROM learning.sessions WHERE completed AND server_received_at > '{since}' "
            "AND server_received_at <= '{at}'",
    "streak": "SELECT user_id FROM learning.streaks WHERE check_at <= '{at}'",
    "reward": "SELECT DISTINCT user_id FROM learning.reward_pending WHERE state = 'pending'",
    "deliver": "SELECT user_id FROM learning.notifications WHERE state = 'planned' AND due_at <= now()",
}
