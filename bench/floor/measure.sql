CREATE TEMP TABLE measured ON COMMIT DROP AS
SELECT user_id, pattern_id, ewma, hint_rate, first_try_rate,
  ewma * sqrt(1 - hint_rate) * sqrt(first_try_rate) AS conquest,
  ewma_before * sqrt(1 - hint_before) * sqrt(first_before) AS week_before, attempts, measured_at
FROM (
  SELECT user_id, pattern_id, (count(*) FILTER (WHERE is_late))::integer AS attempts,
    max(received_at) FILTER (WHERE is_late) AS measured_at,
    least(1, sum(is_right * CASE WHEN turn = least(total, 50) THEN 1 ELSE 0.1::double precision END
      * power(0.9::double precision, turn - 1)) FILTER (WHERE is_late)) AS ewma,
    avg(hint_used::integer) FILTER (WHERE is_late)::double precision AS hint_rate,
    avg(first_try::integer) FILTER (WHERE is_late)::double precision AS first_try_rate,
    least(1, sum(is_right * CASE WHEN turn - recent = least(total - recent, 50) THEN 1 ELSE 0.1::double precision END
      * power(0.9::double precision, turn - recent - 1)) FILTER (WHERE is_early)) AS ewma_before,
    avg(hint_used::integer) FILTER (WHERE is_early)::double precision AS hint_before,
    avg(first_try::integer) FILTER (WHERE is_early)::double precision AS first_before
  FROM (
    SELECT *, turn <= 50 AS is_late, turn > recent AND turn - recent <= 50 AS is_early
    FROM (
      SELECT user_id, pattern_id, received_at, hint_used, first_try, correct::integer AS is_right, total,
        total - place + 1 AS turn, count(*) FILTER (WHERE answered_at > newest - interval '168 hours')
          OVER (PARTITION BY user_id, pattern_id) AS recent
      FROM (
        SELECT *, count(*) OVER each AS total, max(answered_at) OVER each AS newest,
          row_number() OVER (PARTITION BY user_id, pattern_id ORDER BY answered_at, attempt_id) AS place
        FROM learning.attempts
        WHERE answered_at <= received_at AND received_at <= :'at' AND :whose
        WINDOW each AS (PARTITION BY user_id, pattern_id)
      ) AS attempt
    ) AS attempt
  ) AS attempt WHERE is_late OR is_early GROUP BY user_id, pattern_id
) AS measured;
