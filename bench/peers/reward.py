"""settle_rewards for one learner: settles each reward that waits exactly once, then brings the streak up to date."""

import datetime

from .aside import CAN_BE, put_aside
from .streak import bring_up_to_date

JOB = "settle_rewards"
SESSION_WITHIN = datetime.timedelta(days=1)
OLDEST_CLOCK = datetime.timedelta(days=7)


def reward(connection, learner, at):
    waiting = rewards(connection, learner, at)
    verdicts = [(row, *verdict) for row in waiting if (verdict := verdict_on(row, at))]
    save(connection, learner, verdicts)
    put_aside(connection, learner, [("reward_pending", str(row.queue_id), reason) for row, _, reason, *_ in verdicts
                                    if reason in ("unknown_kind", "negative_amount", "no_such_session")], at, JOB)
    if any(state == "settled" for _, state, *_ in verdicts) and has_news_of_streak(connection, learner, at):
        bring_up_to_date(connection, learner, at, JOB)


def rewards(connection, learner, at):
    """Those that wait, in order; locked, so that nobody else settles them."""
    return connection.execute(
        "SELECT reward.queue_id, reward.idempotency_key, reward.kind, amount, reward.session_id, received_at, "
        "greatest(least(server_clock, received_at + interval '1 second'), received_at - interval '8808 hours') "
        "AS server_clock, entry.user_id IS NOT NULL OR EXISTS (SELECT FROM learning.reward_pending AS other "
        "WHERE other.user_id = reward.user_id AND other.idempotency_key = reward.idempotency_key "
        "AND other.queue_id < reward.queue_id AND other.received_at <= %(at)s) AS is_key_taken, "
        f"session.server_received_at AS session_received_at, completed AS is_completed, {CAN_BE} AS is_study "
        "FROM learning.reward_pending AS reward "
        "LEFT JOIN learning.reward_entries AS entry ON entry.user_id = reward.user_id "
        "AND entry.idempotency_key = reward.idempotency_key "
        "LEFT JOIN learning.sessions AS session ON session.user_id = reward.user_id "
        "AND session.session_id = reward.session_id AND server_received_at <= %(at)s "
        "WHERE reward.user_id = %(learner)s AND reward.state = 'pending' AND received_at <= %(at)s "
        "ORDER BY reward.queue_id FOR UPDATE OF reward", {"learner": learner, "at": at}).fetchall()


def verdict_on(row, at):
    """State, reason, score, experience, and since when that is clear; nothing while the session may still come."""
    if row.is_key_taken:
        return "duplicate", "key_taken", 0, 0, row.received_at
    if row.kind not in ("session_completed", "bonus"):
        return rejected("unknown_kind", row.received_at)
    if row.amount < 0:
        return rejected("negative_amount", row.received_at)
    return by_clock(row, 0, row.received_at) if row.kind == "bonus" else for_session(row, at)


def for_session(row, at):
    if row.session_id is None:
        return rejected("no_such_session", row.received_at)
    deadline = row.received_at + SESSION_WITHIN
    if not row.is_completed or row.session_received_at > deadline:
        return None if at < deadline else rejected("no_such_session", deadline)
    since = max(row.received_at, row.session_received_at)
    return by_clock(row, row.amount, since) if row.is_study else rejected("no_such_session", since)


def by_clock(row, score, since):
    """The server's clock decides, not the phone's."""
    age = row.received_at - row.server_clock
    if age < datetime.timedelta(0):
        return rejected("clock_in_the_future", since)
    return rejected("clock_too_old", since) if age > OLDEST_CLOCK else ("settled", None, score, row.amount, since)


def rejected(reason, since):
    return "rejected", reason, 0, 0, since


def save(connection, learner, verdicts):
    cursor = connection.cursor()
    if verdicts:
        cursor.executemany(
            "UPDATE learning.reward_pending SET state = %s, reason = %s, settled_at = %s "
            "WHERE user_id = %s AND queue_id = %s",
            [(state, reason, since, learner, row.queue_id) for row, state, reason, _, _, since in verdicts])
    settled = [(row, score, points, since) for row, state, _, score, points, since in verdicts if state == "settled"]
    if settled:
        # A key that somebody else has just taken fails the task, which then finds it taken.
        cursor.executemany(
            "INSERT INTO learning.reward_entries (user_id, idempotency_key, queue_id, kind, score, xp, at) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s)",
            [(learner, row.idempotency_key, row.queue_id, row.kind, score, points, since)
             for row, score, points, since in settled])
        cursor.execute(
            "INSERT INTO learning.balances AS balance (user_id, score, xp) VALUES (%s, %s, %s) ON CONFLICT (user_id) "
            "DO UPDATE SET score = balance.score + excluded.score, xp = balance.xp + excluded.xp",
            (learner, sum(score for _, score, _, _ in settled), sum(points for _, _, points, _ in settled)))


def has_news_of_streak(connection, learner, at):
    """Whether there is anything that the job which looks at all streaks has not seen: mostly there is not."""
    return connection.execute(
        "SELECT EXISTS (SELECT FROM learning.streaks WHERE user_id = %(learner)s AND check_at <= %(at)s) "
        "OR EXISTS (SELECT FROM learning.streak_repairs WHERE user_id = %(learner)s AND state = 'accepted' "
        "AND accepted_at <= %(at)s) OR EXISTS (SELECT FROM learning.users WHERE user_id = %(learner)s "
        "AND changed_at > seen.until AND changed_at <= %(at)s) OR EXISTS (SELECT FROM learning.sessions "
        "WHERE user_id = %(learner)s AND completed AND server_received_at > seen.until "
        "AND server_received_at <= %(at)s) AS has_news FROM (SELECT coalesce(min(seen_until), '-infinity') AS until "
        "FROM learning.watermarks WHERE job = 'detect_streak_breaks') AS seen",
        {"learner": learner, "at": at}).fetchone().has_news
