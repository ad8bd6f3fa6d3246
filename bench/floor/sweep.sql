-- Pushes that were tapped are opened, those whose day is over are ignored, and devices that are long dead are forgotten.
-- What it does less: before it closes a push it does not ask once more whether it was tapped; pushes in zones that
-- nobody knows stay open; and nobody else may write events meanwhile.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL jit = off;
-- As the job's chunks do.
SET LOCAL synchronous_commit = off;

UPDATE learning.notifications AS push SET state = 'opened', reason = NULL, ended_at = tap.at
FROM learning.notification_events AS tap
WHERE tap.event = 'push_opened' AND tap.at > :'since' AND tap.at <= :'at'
  AND (push.user_id, push.local_day) = (tap.user_id, tap.local_day) AND push.state IN ('sent', 'uncertain', 'ignored');

-- When a day is over where: asked of each zone once, and not of each push.
CREATE TEMP TABLE over ON COMMIT DROP AS
SELECT local_day, zone, (local_day + 1)::timestamp AT TIME ZONE zone AS at
FROM (
  SELECT DISTINCT local_day, zone FROM learning.notifications
  WHERE state IN ('sent', 'uncertain') AND sent_at IS NOT NULL AND ended_at IS NULL
) AS day JOIN bench.zone ON zone.name = day.zone;
ANALYZE over;
WITH closed AS (
  UPDATE learning.notifications AS push SET state = 'ignored', ended_at = over.at
  FROM over
  WHERE state IN ('sent', 'uncertain') AND sent_at IS NOT NULL AND ended_at IS NULL
    AND (over.local_day, over.zone) = (push.local_day, push.zone) AND over.at <= :'at'
  RETURNING user_id, push.local_day, ended_at
)
INSERT INTO learning.notification_events (user_id, local_day, event, at)
SELECT user_id, local_day, 'push_ignored', ended_at FROM closed ORDER BY user_id;

DELETE FROM learning.devices WHERE invalidated_at < :'at'::timestamptz - interval '180 days';
COMMIT;
