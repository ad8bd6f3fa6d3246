-- Measures and reviews are held to learners by those who have them.

ALTER TABLE learning.pattern_conquest DROP CONSTRAINT pattern_conquest_user_id_fkey;
ALTER TABLE learning.reviews DROP CONSTRAINT reviews_user_id_fkey;
