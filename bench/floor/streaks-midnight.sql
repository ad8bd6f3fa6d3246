-- The streaks whose day was missed: kept ones become repairable where a token is held, the others end; what
-- was repairable lapses. Nothing has arrived since the run before, so nobody's history is read but that of
-- today, where the next chain may have begun. Nobody has moved to another zone.
BEGIN;
SET LOCAL work_mem = '256MB';
SET LOCAL jit = off;
-- As the job's chunks do.
SET LOCAL synchronous_commit = off;

CREATE TEMP TABLE over ON COMMIT DROP AS
SELECT user_id, zone.name AS zone, auto_repair, state, length, longest, started_on, last_day,
  coalesce(missed_day, last_day + 1) AS missed, check_at, coalesce(balance, 0) AS balance,
  CASE state WHEN 'kept' THEN last_day + 1 ELSE missed_day + 1 END AS day_over, next.day AS next_day,
  next.days AS next_days
FROM learning.streaks JOIN learning.users USING (user_id) JOIN bench.zone ON zone.name = users.zone
LEFT JOIN learning.brain_tokens USING (user_id)
LEFT JOIN LATERAL (
  SELECT min(local_day) AS day, count(DISTINCT local_day)::integer AS days FROM learning.sessions
  WHERE sessions.user_id = streaks.user_id AND completed AND ended_at > check_at - interval '3 days'
    AND local_day > CASE state WHEN 'kept' THEN last_day + 1 ELSE missed_day END
    AND server_received_at <= :'at' AND started_at <= ended_at
    AND ended_at <= server_received_at + interval '10 minutes'
) AS next ON true
WHERE check_at <= :'at';
ANALYZE over;

-- Whoever holds a token and had missed no day before.
INSERT INTO learning.streak_repairs (user_id, day, state, offered_at, accepted_at, ended_at)
SELECT user_id, missed, CASE WHEN auto_repair THEN 'repaired' ELSE 'offered' END, check_at,
  CASE WHEN auto_repair THEN check_at END, CASE WHEN auto_repair THEN check_at END
FROM over WHERE state = 'kept' AND balance > 0;
UPDATE learning.streak_repairs AS repair SET state = 'lapsed', ended_at = check_at
FROM over WHERE over.state = 'repairable' AND repair.user_id = over.user_id AND repair.day = over.missed;
INSERT INTO learning.token_entries (user_id, entry, amount, reason, at)
SELECT user_id, 'spent:' || missed, -1, 'spent', check_at FROM over
WHERE state = 'kept' AND balance > 0 AND auto_repair;
UPDATE learning.brain_tokens AS purse SET balance = purse.balance - 1
FROM over WHERE over.state = 'kept' AND over.balance > 0 AND auto_repair AND purse.user_id = over.user_id;

INSERT INTO learning.streak_events (user_id, number, event, day, cause, length_before, length_after, at)
SELECT user_id, (SELECT max(number) FROM learning.streak_events AS event WHERE event.user_id = over.user_id) + 1,
  CASE WHEN state = 'repairable' OR balance = 0 THEN 'reset' WHEN auto_repair THEN 'repaired' ELSE 'repairable' END,
  missed,
  CASE WHEN state = 'repairable' THEN 'not_repaired_in_time' WHEN balance = 0 THEN 'missed_without_token'
    WHEN auto_repair THEN 'auto_repair' ELSE 'missed_with_token' END,
  length, CASE WHEN state = 'repairable' OR balance = 0 THEN coalesce(next_days, 0) ELSE length END, check_at
FROM over;

UPDATE learning.streaks AS streak SET state = new.state, length = new.length, started_on = new.started_on,
  last_day = new.last_day, missed_day = new.missed_day, repairable_until = new.missed_day + 1,
  check_at = (coalesce(new.missed_day + 2, new.last_day + 2)::timestamp AT TIME ZONE zone) + interval '3 hours',
  changed_at = new.check_at
FROM (
  SELECT user_id, zone, over.check_at,
    CASE WHEN stays AND NOT auto_repair THEN 'repairable' WHEN stays OR next_day IS NOT NULL THEN 'kept'
      ELSE 'none' END AS state,
    CASE WHEN stays THEN length ELSE coalesce(next_days, 0) END AS length,
    CASE WHEN stays THEN started_on ELSE next_day END AS started_on,
    CASE WHEN stays AND auto_repair THEN missed WHEN stays THEN last_day ELSE next_day + next_days - 1 END AS last_day,
    CASE WHEN stays AND NOT auto_repair THEN missed END AS missed_day
  FROM (SELECT *, state = 'kept' AND balance > 0 AS stays FROM over) AS over
) AS new WHERE new.user_id = streak.user_id;
COMMIT;
