-- Measures and reviews name patterns that a learner has attempts at, and those are held to the list of patterns. To hold
-- what is derived from them to it once more took as long as to write it: each row looks its pattern up and locks it, by
-- a statement of its own. And as all rows lock the same few, so did whoever writes beside the job.

ALTER TABLE learning.pattern_conquest DROP CONSTRAINT pattern_conquest_pattern_id_fkey;
ALTER TABLE learning.reviews DROP CONSTRAINT reviews_pattern_id_fkey;
