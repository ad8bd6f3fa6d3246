-- The answers to each pattern are gathered once, in the order of the key's index, a digit for each: 1 for a right one,
-- 2 for a hint and 4 for the first try, added up. What is measured over the latest of them, and over the latest of a
-- week before, follows from these digits: windows that number every answer take three times as long. OFFSET 0 keeps
-- what is used more than once from being computed as often.

-- What each of ten answers adds to the average, for all ways in which they can be right: the newest is the lowest bit.
SELECT array_agg(weight ORDER BY bits) AS weights FROM (
  SELECT bits, sum(0.1 * power(0.9::float8, place) * (bits >> place & 1)) AS weight
  FROM generate_series(0, 1023) AS bits, generate_series(0, 9) AS place GROUP BY bits
) AS weight \gset

-- The average over up to 50 answers, ten at a time; the oldest counts in full.
CREATE FUNCTION pg_temp.average(bits bigint, answers integer) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN least(1,
  0.9::float8 ^ answers * (bits >> (answers - 1)) + (:'weights'::float8[])[(bits & 1023) + 1]
  + CASE WHEN bits < 1 << 10 THEN 0 ELSE 0.9::float8 ^ 10 * (:'weights'::float8[])[(bits >> 10 & 1023) + 1]
    + CASE WHEN bits < 1 << 20 THEN 0 ELSE 0.9::float8 ^ 20 * (:'weights'::float8[])[(bits >> 20 & 1023) + 1]
    + 0.9::float8 ^ 30 * (:'weights'::float8[])[(bits >> 30 & 1023) + 1]
    + 0.9::float8 ^ 40 * (:'weights'::float8[])[(bits >> 40) + 1] END END);

CREATE TEMP TABLE measured ON COMMIT DROP AS
SELECT *, CASE WHEN conquest - week_before >= 0.05 THEN 'rising' WHEN conquest - week_before <= -0.05 THEN 'falling'
  ELSE 'steady' END AS trend
FROM (
  SELECT user_id, pattern_id, ewma, hint_rate, first_try_rate,
    ewma * sqrt(1 - hint_rate) * sqrt(first_try_rate) AS conquest,
    ewma_before * sqrt(1 - hints_before::float8 / earlier) * sqrt(firsts_before::float8 / earlier) AS week_before,
    attempts, measured_at
  FROM (
    SELECT user_id, pattern_id, measured_at, attempts, earlier, pg_temp.average(bits, attempts) AS ewma,
      length(translate(late, '0145', ''))::float8 / attempts AS hint_rate,
      length(translate(late, '0123', ''))::float8 / attempts AS first_try_rate,
      pg_temp.average(bits_before, earlier) AS ewma_before,
      length(translate(early, '0145', '')) AS hints_before, length(translate(early, '0123', '')) AS firsts_before
    FROM (
      SELECT *, translate(late, '01234567', '01010101')::bit(50)::bigint >> (50 - attempts) AS bits,
        translate(early, '01234567', '01010101')::bit(50)::bigint >> (50 - earlier) AS bits_before
      FROM (
        SELECT *, length(late) AS attempts, length(early) AS earlier
        FROM (
          SELECT user_id, pattern_id, right(digits, 50) AS late,
            right(left(digits, nullif(width_bucket(newest - interval '168 hours', answers), 0)), 50) AS early,
            CASE WHEN length(digits) <= 50 THEN measured_at ELSE (SELECT max(received_at) FROM (
              SELECT received_at FROM learning.attempts
              WHERE user_id = attempt.user_id AND pattern_id = attempt.pattern_id
                AND answered_at <= received_at + interval '10 minutes' AND received_at <= :'at'
              ORDER BY answered_at DESC, attempt_id DESC LIMIT 50) AS latest)
              END AS measured_at
          FROM (
            SELECT user_id, pattern_id, string_agg(digit, '') AS digits, array_agg(answered_at) AS answers,
              max(answered_at) AS newest, max(received_at) AS measured_at
            FROM (
              SELECT user_id, pattern_id, answered_at, received_at,
                CASE WHEN correct THEN CASE WHEN hint_used THEN CASE WHEN first_try THEN '7' ELSE '3' END
                    WHEN first_try THEN '5' ELSE '1' END
                  ELSE CASE WHEN hint_used THEN CASE WHEN first_try THEN '6' ELSE '2' END
                    WHEN first_try THEN '4' ELSE '0' END END AS digit
              FROM learning.attempts
              WHERE answered_at <= received_at + interval '10 minutes' AND received_at <= :'at' AND :whose
              ORDER BY user_id, pattern_id, answered_at, attempt_id
            ) AS attempt
            GROUP BY user_id, pattern_id
          ) AS attempt OFFSET 0
        ) AS attempt OFFSET 0
      ) AS attempt OFFSET 0
    ) AS attempt OFFSET 0
  ) AS measure OFFSET 0
) AS measure;
