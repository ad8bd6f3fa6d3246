-- The zones that learners live in (each is a file to be read, and most are nobody's), and what day it is there.
CREATE TEMP TABLE place ON COMMIT DROP AS
WITH RECURSIVE zone (name) AS (
  SELECT min(zone) FROM learning.users
  UNION ALL SELECT (SELECT min(zone) FROM learning.users WHERE users.zone > name) FROM zone WHERE name IS NOT NULL
)
SELECT name, (:'since'::timestamptz AT TIME ZONE name)::date AS day_before,
  (:'at'::timestamptz AT TIME ZONE name)::date AS local_day
FROM zone JOIN bench.zone AS known USING (name);
ANALYZE place;
