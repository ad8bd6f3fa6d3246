-- The pushes whose windows begin, for the learners of whom it is time or something is new, and when to look again.
-- It decides what the job decides, by the same facts: habits, quiet hours, who is held out, what was opened, the
-- hours between two pushes. What it does less: hashes are the server's, so others are held out and other minutes
-- are chosen; a window is cut at one end only; of opened pushes their number counts, not their share; what cannot
-- be is not put aside; and where the job plans the next window to look again, it adds a day.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL jit = off;
SET LOCAL enable_memoize = off;

CREATE TEMP TABLE learner ON COMMIT DROP AS
WITH due AS (
  SELECT user_id FROM learning.push_agenda WHERE look_at <= :'at'::timestamptz + interval '5 minutes'
  UNION SELECT user_id FROM learning.users WHERE changed_at > :'since' AND changed_at <= :'at'
  UNION SELECT user_id FROM learning.devices WHERE registered_at > :'since' AND registered_at <= :'at'
  UNION SELECT user_id FROM learning.sessions
    WHERE completed AND server_received_at > :'since' AND server_received_at <= :'at'
)
SELECT user_id, place.name AS zone, locale, coalesce(quiet_from, 1320) AS quiet_from,
  coalesce(quiet_to, 420) AS quiet_to, coalesce(preferred_minute, 1140) AS first_minute, today,
  greatest(least((look_at AT TIME ZONE place.name)::date, today), today - 2) AS first_day,
  streaks.length AS streak_days, streaks.state IN ('kept', 'repairable') AND streaks.length >= 3 AS has_streak,
  CASE WHEN status <> 'active' THEN 'inactive' WHEN audience = 'child' AND NOT guardian_consent THEN 'no_consent'
    WHEN NOT push_opt_in THEN 'opted_out'
    WHEN NOT EXISTS (SELECT FROM learning.devices WHERE devices.user_id = users.user_id
      AND invalidated_at IS NULL AND registered_at <= :'at') THEN 'no_device'
    WHEN abs(hashint8(user_id)) % 1000 < 20 THEN 'holdout' END AS objection
FROM due JOIN learning.users USING (user_id)
JOIN (SELECT name, (:'at'::timestamptz AT TIME ZONE name)::date AS today FROM bench.zone) AS place
  ON place.name = users.zone
LEFT JOIN learning.push_agenda USING (user_id) LEFT JOIN learning.streaks USING (user_id)
WHERE created_at <= :'at';
ANALYZE learner;

CREATE TEMP TABLE wanted ON COMMIT DROP AS
SELECT user_id, day, ended_at, local_day FROM learner
CROSS JOIN LATERAL (SELECT first_day + n AS day FROM generate_series(0, today - first_day) AS n) AS day
LEFT JOIN LATERAL (
  SELECT ended_at, local_day FROM learning.sessions
  WHERE sessions.user_id = learner.user_id AND completed AND server_received_at <= :'at'
    AND started_at <= ended_at AND ended_at <= server_received_at AND (day >= today OR local_day <= day)
  ORDER BY ended_at DESC LIMIT 1
) AS latest ON true
WHERE local_day >= day OR NOT EXISTS (SELECT FROM learning.notifications
  WHERE notifications.user_id = learner.user_id AND notifications.local_day = day);
ANALYZE wanted;

-- The minute of the day with the least sum of distances to the others around the clock.
CREATE TEMP TABLE habit ON COMMIT DROP AS
WITH study AS MATERIALIZED (
  SELECT user_id, day, minute, count(*) AS times, sum(count(*)) OVER (PARTITION BY user_id, day) AS total
  FROM wanted JOIN learner USING (user_id) JOIN learning.sessions USING (user_id)
  CROSS JOIN LATERAL (SELECT floor(extract(epoch FROM (sessions.ended_at AT TIME ZONE zone)::time) / 60)::integer
    AS minute) AS clock
  WHERE wanted.local_day < day AND completed AND server_received_at <= :'at'
    AND sessions.ended_at > :'at'::timestamptz - interval '21 days' AND started_at <= sessions.ended_at
    AND sessions.ended_at <= server_received_at AND sessions.local_day >= day - 14 AND sessions.local_day < day
  GROUP BY user_id, day, minute
)
SELECT DISTINCT ON (user_id, day) user_id, day, minute
FROM (
  SELECT user_id, day, one.minute, sum(other.times
    * least(abs(one.minute - other.minute), 1440 - abs(one.minute - other.minute))) AS apart
  FROM study AS one JOIN study AS other USING (user_id, day) WHERE one.total >= 3
  GROUP BY user_id, day, one.minute
) AS candidate
ORDER BY user_id, day, apart, minute;
ANALYZE habit;

-- Their windows, outside of quiet hours or before them.
CREATE TEMP TABLE plan ON COMMIT DROP AS
WITH wish AS MATERIALIZED (
  SELECT user_id, day, ended_at, local_day, CASE WHEN local_day >= day THEN ended_at
      ELSE (day + coalesce(make_interval(mins => minute), (ended_at AT TIME ZONE zone)::time::interval,
        make_interval(mins => first_minute - 45))) AT TIME ZONE zone END + interval '45 minutes' AS start,
    CASE WHEN local_day >= day THEN 'follow_up' WHEN local_day IS NULL THEN 'first' ELSE 'reminder' END AS kind
  FROM wanted JOIN learner USING (user_id) LEFT JOIN habit USING (user_id, day)
), cut AS MATERIALIZED (
  SELECT wish.*, CASE WHEN quiet_from = quiet_to THEN 1440 ELSE (quiet_from - minute + 1440) % 1440 END AS loud_for,
    CASE WHEN quiet_from < quiet_to AND minute >= quiet_from AND minute < quiet_to
      OR quiet_from > quiet_to AND (minute >= quiet_from OR minute < quiet_to)
      THEN (quiet_to - minute + 1440) % 1440 ELSE 0 END AS quiet_for
  FROM wish JOIN learner USING (user_id) CROSS JOIN LATERAL (
    SELECT floor(extract(epoch FROM (start AT TIME ZONE zone)::time) / 60)::integer AS minute) AS clock
)
SELECT cut.*, since, until, coalesce(since, start) AS begins
FROM cut JOIN learner USING (user_id) CROSS JOIN LATERAL (
  SELECT CASE WHEN quiet_for < 45
      THEN date_trunc('minute', start + quiet_for * interval '1 minute' + interval '59.999999 seconds')
      WHEN kind <> 'follow_up' THEN (day + make_interval(mins => quiet_from - 45)) AT TIME ZONE zone END AS since,
    CASE WHEN quiet_for = 0 THEN date_trunc('minute', start + least(loud_for, 45) * interval '1 minute')
      WHEN quiet_for < 45 THEN date_trunc('minute', start + interval '45 minutes') WHEN kind <> 'follow_up'
      THEN (day + make_interval(mins => quiet_from)) AT TIME ZONE zone END AS until
) AS "window";
ANALYZE plan;

INSERT INTO learning.notifications AS known (user_id, local_day, state, reason, kind, zone, window_from, window_to,
  due_at, template, variant, locale, pattern_code, streak_days, evidence_at, planned_at, ended_at)
SELECT user_id, day, CASE WHEN until <= :'at' THEN 'expired' WHEN objection IS NULL THEN 'planned'
    ELSE 'suppressed' END,
  CASE WHEN until <= :'at' THEN 'window_passed' ELSE objection END, kind, zone, since, until, minute,
  template, CASE template WHEN 'encourage' THEN (ARRAY['warm', 'funny'])[abs(hashint8(user_id)) % 2 + 1] END,
  locale, CASE template WHEN 'pattern' THEN code END, CASE template WHEN 'streak' THEN streak_days END, ended_at,
  :'at', CASE WHEN until <= :'at' OR objection IS NOT NULL THEN :'at'::timestamptz END
FROM (
  SELECT plan.*, zone, locale, code, streak_days, minute,
    coalesce(CASE WHEN since IS NULL THEN 'quiet_hours' END, objection,
      CASE WHEN minute < handed_at + interval '8 hours' THEN 'capped' END) AS objection,
    CASE WHEN has_streak AND local_day < day THEN 'streak' WHEN code IS NOT NULL THEN 'pattern'
      WHEN local_day <= day - 2 THEN 'encourage' ELSE 'basic' END AS template
  FROM plan JOIN learner USING (user_id)
  LEFT JOIN LATERAL (
    SELECT pattern_id FROM learning.reviews WHERE reviews.user_id = plan.user_id
      AND reviews.local_day BETWEEN day - 7 AND day AND rank = 1 AND state = 'open' AND NOT locked
    ORDER BY reviews.local_day DESC LIMIT 1
  ) AS review ON true
  LEFT JOIN learning.patterns USING (pattern_id)
  LEFT JOIN LATERAL (
    SELECT mode() WITHIN GROUP (ORDER BY least(2, floor(3 * extract(epoch FROM due_at - window_from)
      / extract(epoch FROM window_to - window_from)))::integer) AS third
    FROM learning.notification_events AS event JOIN learning.notifications USING (user_id, local_day)
    WHERE event.user_id = plan.user_id AND event.event = 'push_opened'
      AND event.at > :'at'::timestamptz - interval '60 days' AND event.at <= :'at'
    HAVING count(*) >= 5
  ) AS opened ON true
  LEFT JOIN LATERAL (
    SELECT max(coalesce(sent_at, sending_at, due_at)) AS handed_at FROM learning.notifications AS other
    WHERE other.user_id = plan.user_id AND other.local_day BETWEEN today - 4 AND today + 1
      AND other.local_day <> day AND state IN ('sending', 'sent', 'opened', 'ignored', 'uncertain')
  ) AS handed ON true
  CROSS JOIN LATERAL (
    SELECT since + (extract(epoch FROM until - since)::integer / 60
      * (coalesce(third, 0) * 1024 + (hashint8(plan.user_id + (day - '2000-01-01')) & 1023))
      / CASE WHEN third IS NULL THEN 1024 ELSE 3072 END) * interval '1 minute' AS minute
  ) AS chosen
  WHERE begins <= :'at'::timestamptz + interval '5 minutes'
) AS push
ON CONFLICT (user_id, local_day) DO UPDATE SET (state, reason, kind, window_from, window_to, due_at, template,
  variant, pattern_code, streak_days, evidence_at, planned_at, ended_at) = (excluded.state, excluded.reason,
  excluded.kind, excluded.window_from, excluded.window_to, excluded.due_at, excluded.template, excluded.variant,
  excluded.pattern_code, excluded.streak_days, excluded.evidence_at, excluded.planned_at, excluded.ended_at)
WHERE known.state IN ('planned', 'suppressed') AND known.sent_at IS NULL AND excluded.kind = 'follow_up'
  AND known.evidence_at IS DISTINCT FROM excluded.evidence_at;

INSERT INTO learning.push_agenda AS known (user_id, look_at, looked_at)
SELECT user_id, max(begins) + CASE WHEN max(begins) <= :'at'::timestamptz + interval '5 minutes'
  THEN interval '1 day' ELSE '0' END, :'at'
FROM plan GROUP BY user_id
ON CONFLICT (user_id) DO UPDATE SET look_at = excluded.look_at, looked_at = excluded.looked_at;
COMMIT;
