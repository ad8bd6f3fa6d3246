-- All pending rewards in one statement: verdicts, entries, balances, and what became of each.
-- It does not look at streaks, which the job brings up to date as well; here they are.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL jit = off;
-- As the job's chunks do.
SET LOCAL synchronous_commit = off;

CREATE TEMP TABLE verdict ON COMMIT DROP AS
SELECT user_id, queue_id, idempotency_key, kind, amount, clear_at AS at, reason,
  CASE WHEN reason IS NULL THEN 'settled' WHEN reason = 'key_taken' THEN 'duplicate' ELSE 'rejected' END AS state
FROM (
  SELECT reward.*, CASE
      WHEN turn > 1 OR entry.user_id IS NOT NULL THEN 'key_taken'
      WHEN amount < 0 AND kind IN ('session_completed', 'bonus') THEN 'negative_amount'
      WHEN kind = 'session_completed' AND (session_id IS NULL OR NOT is_study OR completed IS NOT true
        OR session_at > received_at + interval '1 day') THEN 'no_such_session'
      WHEN kind NOT IN ('session_completed', 'bonus') THEN 'unknown_kind'
      WHEN server_clock > received_at THEN 'clock_in_the_future'
      WHEN received_at - server_clock > interval '7 days' THEN 'clock_too_old'
    END AS reason,
    CASE WHEN turn > 1 OR entry.user_id IS NOT NULL OR kind <> 'session_completed' OR amount < 0
        OR session_id IS NULL THEN received_at
      WHEN completed IS NOT true OR session_at > received_at + interval '1 day'
        THEN received_at + interval '1 day'
      ELSE greatest(received_at, session_at) END AS clear_at
  FROM (
    SELECT reward.user_id, queue_id, reward.idempotency_key, kind, amount, reward.session_id, server_clock,
      received_at, state,
      row_number() OVER (PARTITION BY reward.user_id, reward.idempotency_key ORDER BY queue_id) AS turn,
      session.server_received_at AS session_at, session.completed,
      session.started_at <= session.ended_at
        AND session.ended_at <= session.server_received_at + interval '10 minutes'
        AND session.local_day BETWEEN (session.ended_at AT TIME ZONE 'UTC')::date - 1
        AND (session.ended_at AT TIME ZONE 'UTC')::date + 1 AS is_study
    FROM learning.reward_pending AS reward
    LEFT JOIN learning.sessions AS session ON session.user_id = reward.user_id
      AND session.session_id = reward.session_id AND session.server_received_at <= :'at'
    WHERE received_at <= :'at'
  ) AS reward
  LEFT JOIN (SELECT user_id, idempotency_key FROM learning.reward_entries) AS entry
    USING (user_id, idempotency_key)
  WHERE reward.state = 'pending'
) AS reward WHERE clear_at <= :'at';

INSERT INTO learning.reward_entries (user_id, idempotency_key, queue_id, kind, score, xp, at)
SELECT user_id, idempotency_key, queue_id, kind, CASE kind WHEN 'bonus' THEN 0 ELSE amount END, amount, at
FROM verdict WHERE state = 'settled';

INSERT INTO learning.balances AS balance (user_id, score, xp)
SELECT user_id, sum(CASE kind WHEN 'bonus' THEN 0 ELSE amount END), sum(amount)
FROM verdict WHERE state = 'settled' GROUP BY user_id
ON CONFLICT (user_id) DO UPDATE SET score = balance.score + excluded.score, xp = balance.xp + excluded.xp;

UPDATE learning.reward_pending AS reward
SET state = verdict.state, reason = verdict.reason, settled_at = verdict.at
FROM verdict WHERE verdict.user_id = reward.user_id AND verdict.queue_id = reward.queue_id;

INSERT INTO learning.quarantine (user_id, source, row_key, reason, found_at, found_by)
SELECT user_id, 'reward_pending', queue_id::text, reason, :'at', 'floor' FROM verdict
WHERE reason IN ('unknown_kind', 'negative_amount', 'no_such_session') ON CONFLICT DO NOTHING;
COMMIT;
