-- The pushes whose windows begin, for the learners of whom it is time or something is new, and when to look again.
-- It decides what the job decides, by the same facts: habits, quiet hours, who is held out, what was opened, the
-- hours between two pushes. What it does less: hashes are the server's, so others are held out and other minutes
-- are chosen; a window is cut at one end only; of opened pushes their number counts, not their share; what cannot
-- be is not put aside; where the job plans the next window to look again, it adds a day; and nobody else may write
-- pushes meanwhile.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL temp_buffers = '512MB';
SET LOCAL jit = off;
SET LOCAL enable_memoize = off;
-- As the job's chunks do.
SET LOCAL synchronous_commit = off;

\set is_study 'completed AND started_at <= sessions.ended_at AND sessions.ended_at <= server_received_at + interval \'10 minutes\''

CREATE TEMP TABLE due ON COMMIT DROP AS
SELECT user_id FROM (
  SELECT user_id FROM learning.push_agenda WHERE look_at <= :'at'::timestamptz + interval '5 minutes'
  UNION SELECT user_id FROM learning.users WHERE changed_at > :'since' AND changed_at <= :'at'
  UNION SELECT user_id FROM learning.devices WHERE registered_at > :'since' AND registered_at <= :'at'
  UNION SELECT user_id FROM learning.sessions
    WHERE completed AND server_received_at > :'since' AND server_received_at <= :'at'
) AS due ORDER BY user_id;
ANALYZE due;

CREATE TEMP TABLE known ON COMMIT DROP AS
SELECT user_id, local_day AS day, evidence_at, state = 'planned' AND sent_at IS NULL AS is_planned,
  CASE WHEN state IN ('sending', 'sent', 'opened', 'ignored', 'uncertain')
    THEN coalesce(sent_at, sending_at, due_at) END AS handed_at
FROM due JOIN learning.notifications USING (user_id)
WHERE local_day >= (:'at'::timestamptz AT TIME ZONE 'UTC')::date - 5;
ANALYZE known;

-- The zones that learners live in (each is a file to be read, and most are nobody's), with the seconds by which their
-- clocks are ahead: to add them is quicker than to ask the zone, which is left to those that change their clocks in
-- these weeks.
CREATE TEMP TABLE place ON COMMIT DROP AS
WITH RECURSIVE zone (name) AS (
  SELECT min(zone) FROM learning.users
  UNION ALL SELECT (SELECT min(zone) FROM learning.users WHERE users.zone > name) FROM zone WHERE name IS NOT NULL
), clock AS (
  SELECT name, array_agg(DISTINCT date_part('epoch', moment AT TIME ZONE name) - date_part('epoch', moment)) AS shifts
  FROM zone JOIN bench.zone AS known USING (name)
  CROSS JOIN (VALUES (:'at'::timestamptz - interval '22 days'), (:'at'), (:'at'::timestamptz + interval '3 days'))
    AS moment (moment)
  GROUP BY name
)
SELECT name, (:'at'::timestamptz AT TIME ZONE name)::date AS today,
  CASE WHEN cardinality(shifts) = 1 THEN shifts[1] END AS shift FROM clock;
ANALYZE place;

-- Days without a push or with one that a study since then moves, and today, by which the next look is told.
CREATE TEMP TABLE wanted ON COMMIT DROP AS
SELECT learner.*, day, study.ended_at, study.local_day, known.user_id IS NULL AS is_new
FROM (
  SELECT user_id, zone, shift, locale, coalesce(quiet_from, 1320) AS quiet_from,
    coalesce(quiet_to, 420) AS quiet_to, coalesce(preferred_minute, 1140) AS first_minute, today,
    greatest(least((look_at AT TIME ZONE zone)::date, today), today - 2) AS first_day,
    streaks.length AS streak_days, streaks.state IN ('kept', 'repairable') AND streaks.length >= 3 AS has_streak,
    CASE WHEN status <> 'active' THEN 'inactive' WHEN audience = 'child' AND NOT guardian_consent THEN 'no_consent'
      WHEN NOT push_opt_in THEN 'opted_out'
      WHEN NOT EXISTS (SELECT FROM learning.devices WHERE devices.user_id = users.user_id
        AND invalidated_at IS NULL AND registered_at <= :'at') THEN 'no_device'
      WHEN abs(hashint8(user_id)) % 1000 < 20 THEN 'holdout' END AS objection
  FROM due JOIN learning.users USING (user_id) JOIN place ON name = zone
  LEFT JOIN learning.push_agenda USING (user_id) LEFT JOIN learning.streaks USING (user_id)
  WHERE created_at <= :'at'
  OFFSET 0
) AS learner
LEFT JOIN LATERAL (
  SELECT ended_at, local_day FROM learning.sessions
  WHERE sessions.user_id = learner.user_id AND :is_study AND server_received_at <= :'at'
  ORDER BY ended_at DESC LIMIT 1
) AS latest ON true
CROSS JOIN LATERAL (SELECT first_day + n AS day FROM generate_series(0, today - first_day) AS n) AS day
LEFT JOIN LATERAL (
  SELECT ended_at, local_day FROM learning.sessions
  WHERE day < today AND latest.local_day > day
    AND sessions.user_id = learner.user_id AND :is_study AND server_received_at <= :'at' AND sessions.local_day <= day
  ORDER BY ended_at DESC LIMIT 1
) AS earlier ON true
LEFT JOIN known USING (user_id, day)
CROSS JOIN LATERAL (
  SELECT CASE WHEN day < today AND latest.local_day > day THEN earlier.ended_at ELSE latest.ended_at END,
    CASE WHEN day < today AND latest.local_day > day THEN earlier.local_day ELSE latest.local_day END
) AS study (ended_at, local_day)
WHERE known.user_id IS NULL OR study.local_day >= day AND (is_planned OR day = today);
ANALYZE wanted (user_id, day, local_day);

-- The minute of the day with the least sum of distances to the others around the clock: the middle one of those that
-- lie within half a day, whether from midnight or from noon on, the smaller one of two; of few all are compared.
CREATE TEMP TABLE habit ON COMMIT DROP AS
SELECT user_id, day, CASE WHEN by_day[times] - by_day[1] <= 720 THEN by_day[(times + 1) / 2]
  WHEN by_night[times] + 1440 - by_night[1] <= 720 THEN least(by_night[(times + 1) / 2], by_night[times / 2 + 1])
  ELSE (SELECT one FROM unnest(by_day) AS one ORDER BY (SELECT sum(least(abs(one - other), 1440 - abs(one - other)))
    FROM unnest(by_day) AS other), one LIMIT 1) END AS minute
FROM (
  SELECT user_id, day, times, minutes AS by_day, minutes[before_noon + 1:] || minutes[:before_noon] AS by_night
  FROM (
    SELECT user_id, day, count(*)::integer AS times, array_agg(minute) AS minutes,
      (count(*) FILTER (WHERE minute < 720))::integer AS before_noon
    FROM (
      SELECT user_id, day, floor((CASE WHEN shift IS NULL THEN date_part('epoch', sessions.ended_at AT TIME ZONE zone)
        ELSE date_part('epoch', sessions.ended_at) + shift END) / 60)::integer % 1440 AS minute
      FROM wanted JOIN learning.sessions USING (user_id)
      WHERE wanted.local_day < day AND :is_study AND server_received_at <= :'at'
        AND sessions.ended_at > :'at'::timestamptz - interval '21 days'
        AND sessions.local_day >= day - 14 AND sessions.local_day < day
      ORDER BY user_id, day, minute
    ) AS study
    GROUP BY user_id, day HAVING count(*) >= 3
  ) AS study
) AS study;
ANALYZE habit (user_id, day);

-- Their windows, outside of quiet hours or before them, in minutes of local time since 1970; nothing has no width.
-- OFFSET 0 keeps what is used more than once from being computed as often.
CREATE TEMP TABLE plan ON COMMIT DROP AS
SELECT user_id, day, kind, zone, locale, ended_at, local_day, streak_days, has_streak, objection, is_new,
  until - since AS width, CASE WHEN shift IS NULL
    THEN to_timestamp(coalesce(since, first) * 60::float8) AT TIME ZONE 'UTC' AT TIME ZONE zone
    ELSE to_timestamp(coalesce(since, first) * 60::float8 - shift) END AS begins
FROM (
  SELECT *, CASE WHEN quiet_for < 45 THEN first + quiet_for
      WHEN kind <> 'follow_up' THEN midnight + quiet_from - 45 END AS since,
    CASE WHEN quiet_for = 0 THEN whole + least(loud_for, 45) WHEN quiet_for < 45 THEN whole + 45
      WHEN kind <> 'follow_up' THEN midnight + quiet_from END AS until
  FROM (
    SELECT *, CASE WHEN quiet_from = quiet_to THEN 1440 ELSE (quiet_from - minute + 1440) % 1440 END AS loud_for,
      CASE WHEN quiet_from < quiet_to AND minute >= quiet_from AND minute < quiet_to
        OR quiet_from > quiet_to AND (minute >= quiet_from OR minute < quiet_to)
        THEN (quiet_to - minute + 1440) % 1440 ELSE 0 END AS quiet_for
    FROM (
      SELECT *, ceil(start)::integer AS first, floor(start)::integer AS whole, floor(start)::integer % 1440 AS minute
      FROM (
        SELECT *, 45 + CASE kind WHEN 'follow_up' THEN studied / 60 WHEN 'first' THEN midnight + first_minute - 45
          ELSE midnight + coalesce(habit, floor(studied)::bigint % 86400 / 60::float8) END AS start
        FROM (
          SELECT wanted.*, minute AS habit, (day - date '1970-01-01') * 1440 AS midnight,
            CASE WHEN local_day >= day THEN 'follow_up' WHEN local_day IS NULL THEN 'first' ELSE 'reminder' END AS kind,
            CASE WHEN shift IS NULL OR ended_at < :'at'::timestamptz - interval '22 days'
              THEN date_part('epoch', ended_at AT TIME ZONE zone) ELSE date_part('epoch', ended_at) + shift END
              AS studied
          FROM wanted LEFT JOIN habit USING (user_id, day)
          OFFSET 0
        ) AS wish OFFSET 0
      ) AS wish OFFSET 0
    ) AS wish OFFSET 0
  ) AS wish OFFSET 0
) AS wish;
ANALYZE plan (user_id, begins);

-- What goes out: the first template that fits, at a minute in the third of windows that was opened most.
WITH review AS (
  SELECT DISTINCT ON (user_id, day) user_id, day, CASE WHEN state = 'open' AND NOT locked THEN code END AS code
  FROM plan JOIN learning.reviews USING (user_id) JOIN learning.patterns USING (pattern_id)
  WHERE begins <= :'at'::timestamptz + interval '5 minutes' AND (has_streak AND plan.local_day < day) IS NOT true
    AND reviews.local_day BETWEEN day - 7 AND day
  ORDER BY user_id, day, reviews.local_day DESC, state = 'open' AND NOT locked DESC, rank
), opened AS (
  SELECT user_id, mode() WITHIN GROUP (ORDER BY least(2, floor(3 * date_part('epoch', due_at - window_from)
    / date_part('epoch', window_to - window_from)))::integer) AS third
  FROM due JOIN learning.notification_events AS event USING (user_id)
  JOIN learning.notifications USING (user_id, local_day)
  WHERE event.event = 'push_opened' AND event.at > :'at'::timestamptz - interval '60 days' AND event.at <= :'at'
  GROUP BY user_id HAVING count(*) >= 5
), push AS MATERIALIZED (
  SELECT *, CASE WHEN until <= :'at' THEN 'expired' WHEN objection IS NULL THEN 'planned'
      ELSE 'suppressed' END AS state,
    CASE WHEN until <= :'at' THEN 'window_passed' ELSE objection END AS reason,
    CASE template WHEN 'encourage' THEN (ARRAY['warm', 'funny'])[abs(hashint8(user_id)) % 2 + 1] END AS variant,
    CASE template WHEN 'pattern' THEN code END AS pattern, CASE template WHEN 'streak' THEN streak_days END AS streak,
    CASE WHEN until <= :'at' OR objection IS NOT NULL THEN :'at'::timestamptz END AS over_at
  FROM (
    SELECT user_id, day, kind, zone, since, until, minute, locale, code, streak_days, ended_at, is_new,
      CASE WHEN has_streak AND local_day < day THEN 'streak' WHEN code IS NOT NULL THEN 'pattern'
        WHEN local_day <= day - 2 THEN 'encourage' ELSE 'basic' END AS template,
      coalesce(CASE WHEN width IS NULL THEN 'quiet_hours' END, objection,
        CASE WHEN minute < handed_at + interval '8 hours' THEN 'capped' END) AS objection
    FROM (
      SELECT plan.*, CASE WHEN width IS NOT NULL THEN begins END AS since,
        begins + width * interval '1 minute' AS until, begins + interval '1 minute'
          * (width * (coalesce(third, 0) * 1024 + (hashint8(user_id + (day - date '2000-01-01')) & 1023))
            / CASE WHEN third IS NULL THEN 1024 ELSE 3072 END) AS minute
      FROM plan LEFT JOIN opened USING (user_id)
      WHERE begins <= :'at'::timestamptz + interval '5 minutes' AND (is_new OR kind = 'follow_up')
      OFFSET 0
    ) AS plan
    LEFT JOIN review USING (user_id, day)
    LEFT JOIN (SELECT user_id, max(handed_at) AS handed_at FROM known GROUP BY user_id) AS handed USING (user_id)
    OFFSET 0
  ) AS plan
), added AS (
  INSERT INTO learning.notifications (user_id, local_day, state, reason, kind, zone, window_from, window_to,
    due_at, template, variant, locale, pattern_code, streak_days, evidence_at, planned_at, ended_at)
  SELECT user_id, day, state, reason, kind, zone, since, until, minute, template, variant, locale, pattern, streak,
    ended_at, :'at', over_at
  FROM push WHERE is_new
)
UPDATE learning.notifications AS known SET (state, reason, kind, window_from, window_to, due_at, template, variant,
  pattern_code, streak_days, evidence_at, planned_at, ended_at) = ROW (push.state, push.reason, push.kind, since,
  until, minute, push.template, push.variant, pattern, streak, push.ended_at, :'at', over_at)
FROM push
WHERE NOT is_new AND known.user_id = push.user_id AND local_day = day
  AND (known.state IN ('planned', 'suppressed') OR known.state = 'expired' AND push.state = 'planned')
  AND known.sent_at IS NULL AND evidence_at IS DISTINCT FROM push.ended_at;

-- When to look again. To update and to insert costs a fifth less than to insert where most rows are there already.
WITH look AS MATERIALIZED (
  SELECT user_id, max(begins) + CASE WHEN max(begins) <= :'at'::timestamptz + interval '5 minutes'
    THEN interval '1 day' ELSE '0' END AS look_at
  FROM plan GROUP BY user_id
), added AS (
  INSERT INTO learning.push_agenda (user_id, look_at, looked_at)
  SELECT user_id, look_at, :'at' FROM look
  WHERE NOT EXISTS (SELECT FROM learning.push_agenda AS known WHERE known.user_id = look.user_id)
)
UPDATE learning.push_agenda AS known SET look_at = look.look_at, looked_at = :'at'
FROM look WHERE known.user_id = look.user_id;
COMMIT;
