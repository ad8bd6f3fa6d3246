-- Who had measures or reviews before they were written down. A step of its own, as it takes a while: no table is locked
-- for it, only learners, against being deleted.

INSERT INTO learning.review_learners (user_id, written_in)
SELECT user_id, pg_current_xact_id()::text::bigint
FROM (SELECT user_id FROM learning.pattern_conquest UNION SELECT user_id FROM learning.reviews) AS learner
ORDER BY user_id
ON CONFLICT (user_id) DO NOTHING;
