-- The pushes whose windows begin, in one statement, and when to look again at each learner.
-- It does less than the job: habits are not looked for (a window begins when the agenda says), quiet hours cut
-- nothing, no one is held out or capped, and minutes are not chosen by what was opened. The learners it looks
-- at and the rows that it writes are the same.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL jit = off;

CREATE TEMP TABLE plan ON COMMIT DROP AS
WITH due AS (
  SELECT user_id FROM learning.push_agenda WHERE look_at <= :'at'::timestamptz + interval '5 minutes'
  UNION SELECT user_id FROM learning.users WHERE changed_at > :'since' AND changed_at <= :'at'
  UNION SELECT user_id FROM learning.devices WHERE registered_at > :'since' AND registered_at <= :'at'
  UNION SELECT user_id FROM learning.sessions
    WHERE completed AND server_received_at > :'since' AND server_received_at <= :'at'
)
SELECT user_id, zone.name AS zone, locale, latest.ended_at, latest.local_day AS studied_on,
  CASE WHEN latest.local_day >= (coalesce(look_at, :'at') AT TIME ZONE zone.name)::date
    THEN latest.ended_at + interval '45 minutes' ELSE coalesce(look_at, :'at') END AS start,
  CASE WHEN status <> 'active' THEN 'inactive' WHEN audience = 'child' AND NOT guardian_consent THEN 'no_consent'
    WHEN NOT push_opt_in THEN 'opted_out' WHEN NOT has_device THEN 'no_device' END AS objection,
  streaks.length AS streak_days, streaks.state IN ('kept', 'repairable') AND streaks.length >= 3 AS has_streak,
  review.code
FROM due JOIN learning.users USING (user_id) JOIN bench.zone ON zone.name = users.zone
LEFT JOIN learning.push_agenda USING (user_id) LEFT JOIN learning.streaks USING (user_id)
CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM learning.devices
  WHERE devices.user_id = users.user_id AND invalidated_at IS NULL AND registered_at <= :'at') AS has_device) AS device
LEFT JOIN LATERAL (
  SELECT ended_at, local_day FROM learning.sessions
  WHERE sessions.user_id = users.user_id AND completed AND server_received_at <= :'at'
    AND started_at <= ended_at AND ended_at <= server_received_at
  ORDER BY ended_at DESC LIMIT 1
) AS latest ON true
LEFT JOIN LATERAL (
  SELECT code FROM learning.reviews JOIN learning.patterns USING (pattern_id)
  WHERE reviews.user_id = users.user_id AND local_day >= (:'at'::timestamptz AT TIME ZONE zone.name)::date - 7
    AND rank = 1 AND state = 'open' AND NOT locked ORDER BY local_day DESC LIMIT 1
) AS review ON true
WHERE created_at <= :'at';

INSERT INTO learning.notifications AS known (user_id, local_day, state, reason, kind, zone, window_from, window_to,
  due_at, template, variant, locale, pattern_code, streak_days, evidence_at, planned_at, ended_at)
SELECT user_id, day, CASE WHEN until <= :'at' THEN 'expired' WHEN objection IS NOT NULL THEN 'suppressed'
    ELSE 'planned' END,
  CASE WHEN until <= :'at' THEN 'window_passed' ELSE objection END,
  CASE WHEN studied_on >= day THEN 'follow_up' WHEN studied_on IS NULL THEN 'first' ELSE 'reminder' END,
  zone, since, until, since + interval '1 minute' * (abs(hashint8(user_id + (day - '2000-01-01'))) % 45),
  CASE WHEN has_streak AND studied_on < day THEN 'streak' WHEN code IS NOT NULL THEN 'pattern'
    WHEN studied_on <= day - 2 THEN 'encourage' ELSE 'basic' END,
  CASE WHEN NOT coalesce(has_streak, false) AND code IS NULL AND studied_on <= day - 2 THEN
    (ARRAY['warm', 'funny'])[abs(hashint8(user_id)) % 2 + 1] END,
  locale, code, streak_days, ended_at, :'at', CASE WHEN until <= :'at' OR objection IS NOT NULL
    THEN :'at'::timestamptz END
FROM (
  SELECT plan.*, (since AT TIME ZONE zone)::date AS day, since, since + interval '45 minutes' AS until
  FROM plan CROSS JOIN LATERAL
    generate_series(start, :'at'::timestamptz + interval '5 minutes', interval '1 day') AS since
) AS plan
ON CONFLICT (user_id, local_day) DO UPDATE SET (state, reason, kind, window_from, window_to, due_at, template,
  evidence_at, planned_at, ended_at) = (excluded.state, excluded.reason, excluded.kind, excluded.window_from,
  excluded.window_to, excluded.due_at, excluded.template, excluded.evidence_at, excluded.planned_at,
  excluded.ended_at)
WHERE known.state IN ('planned', 'suppressed') AND known.sent_at IS NULL AND excluded.kind = 'follow_up'
  AND known.evidence_at IS DISTINCT FROM excluded.evidence_at;

INSERT INTO learning.push_agenda AS known (user_id, look_at, looked_at)
SELECT user_id, start + interval '1 day' * greatest(0, ceil(extract(epoch FROM
  :'at'::timestamptz + interval '5 minutes' - start) / 86400)), :'at' FROM plan
ON CONFLICT (user_id) DO UPDATE SET look_at = excluded.look_at, looked_at = excluded.looked_at;
COMMIT;
