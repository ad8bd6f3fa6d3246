"""Rows of the app that cannot be: a task leaves them out, and writes down why."""

# Which sessions can be, as the jobs have it: wherever on Earth one ended, its day is at most one off that of UTC.
CAN_BE = ("(started_at <= ended_at AND ended_at <= server_received_at + interval '10 minutes' AND local_day BETWEEN "
          "(ended_at AT TIME ZONE 'UTC')::date - 1 AND (ended_at AT TIME ZONE 'UTC')::date + 1)")


def put_aside(connection, learner, rows, at, job):
    """Puts rows of a learner aside that are given by their table, what finds them there, and why."""
    if rows:
        connection.cursor().executemany(
            "INSERT INTO learning.quarantine (user_id, source, row_key, reason, found_at, found_by) "
            "VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING", [(learner, *row, at, job) for row in rows])


def put_sessions_aside(connection, learner, at, job):
    connection.execute(
        "INSERT INTO learning.quarantine (user_id, source, row_key, reason, found_at, found_by) "
        "SELECT user_id, 'sessions', session_id::text, CASE WHEN ended_at < started_at THEN 'ends_before_it_starts' "
        "WHEN ended_at > server_received_at + interval '10 minutes' THEN 'ends_after_it_was_received' ELSE 'ends_on_another_day' END, %s, %s "
        f"FROM learning.sessions WHERE user_id = %s AND server_received_at <= %s AND NOT {CAN_BE} "
        "ON CONFLICT DO NOTHING", (at, job, learner, at))
