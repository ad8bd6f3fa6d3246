-- What the widgets of the learners in `touched` show, written where it is something else.
DELETE FROM learning.widget_changes USING touched WHERE touched.user_id = widget_changes.user_id;

-- A session ends at most ten minutes after it was received, and by UTC at most a day before its own.
SELECT min(local_day) AS first_day,
  (min(local_day) - 1)::timestamp AT TIME ZONE 'UTC' - interval '10 minutes' AS first_received FROM place \gset

CREATE TEMP TABLE studied ON COMMIT DROP AS
SELECT user_id, local_day, sum(sentences) AS sentences FROM touched JOIN learning.sessions USING (user_id)
WHERE completed AND local_day >= :'first_day' AND started_at <= ended_at
  AND ended_at > :'at'::timestamptz - interval '50 hours' AND ended_at <= server_received_at + interval '10 minutes'
  AND server_received_at > :'first_received' AND server_received_at <= :'at'
  AND local_day BETWEEN (ended_at AT TIME ZONE 'UTC')::date - 1 AND (ended_at AT TIME ZONE 'UTC')::date + 1
GROUP BY user_id, local_day;
ANALYZE studied;

CREATE TEMP TABLE widget ON COMMIT DROP AS
SELECT user_id, place.local_day, greatest(0, 12 - coalesce(studied.sentences, 0))::smallint AS sentences_remaining,
  coalesce(streaks.length, 0) AS streak, coalesce(brain_tokens.balance, 0)::smallint AS tokens
FROM touched JOIN learning.users USING (user_id) JOIN place ON place.name = users.zone
LEFT JOIN learning.streaks USING (user_id)
LEFT JOIN learning.brain_tokens USING (user_id)
LEFT JOIN studied USING (user_id, local_day);
ANALYZE widget;

UPDATE learning.widget_snapshots AS shown SET local_day = widget.local_day,
  sentences_remaining = widget.sentences_remaining, streak = widget.streak, tokens = widget.tokens,
  updated_at = :'at'
FROM widget WHERE widget.user_id = shown.user_id
  AND (shown.local_day, shown.sentences_remaining, shown.streak, shown.tokens)
    IS DISTINCT FROM (widget.local_day, widget.sentences_remaining, widget.streak, widget.tokens);
INSERT INTO learning.widget_snapshots (user_id, local_day, sentences_remaining, streak, tokens, updated_at)
SELECT user_id, local_day, sentences_remaining, streak, tokens, :'at' FROM widget
WHERE NOT EXISTS (SELECT FROM learning.widget_snapshots AS shown WHERE shown.user_id = widget.user_id)
ORDER BY user_id;
