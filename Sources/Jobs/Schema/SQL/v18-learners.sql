-- Measures and reviews go with their learner. To look the learner of each new row up and lock them took twice as long as
-- to write it, so learners who have any are written down here, once for all rows of a statement, and this is held to
-- learners: who waits for whom is as it was.

CREATE TABLE learning.review_learners (
  user_id     bigint PRIMARY KEY REFERENCES learning.users ON DELETE CASCADE,
  written_in  bigint NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE learning.review_learners IS
  'Who has measures or reviews, which go with this row, as it goes with the learner. Kept by triggers.';
COMMENT ON COLUMN learning.review_learners.written_in IS
  'The transaction that added a measure or a review last.';

-- Programs that are alive write measures from the next instant on.
DO $$
DECLARE
  writer text;
BEGIN
  FOR writer IN
    SELECT DISTINCT grantee::regrole::text FROM pg_class, aclexplode(relacl)
    WHERE pg_class.oid = 'learning.pattern_conquest'::regclass AND privilege_type = 'INSERT' AND grantee <> 0
  LOOP
    EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON learning.review_learners TO ' || writer;
  END LOOP;
END $$;

-- The row is written, not only locked: a transaction that deletes the learner by an older snapshot would leave what that
-- does not show, and fails instead, as by a foreign key.
CREATE FUNCTION learning.hold_learners() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  this_one CONSTANT bigint := pg_current_xact_id()::text::bigint;
BEGIN
  INSERT INTO learning.review_learners AS held (user_id, written_in)
  SELECT user_id, this_one FROM (SELECT DISTINCT user_id FROM added) AS learner
  WHERE NOT EXISTS (SELECT FROM learning.review_learners AS known
    WHERE known.user_id = learner.user_id AND known.written_in = this_one)
  ORDER BY user_id
  ON CONFLICT (user_id) DO UPDATE SET written_in = excluded.written_in;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION learning.hold_learners() IS 'Writes down who has measures or reviews.';
CREATE TRIGGER pattern_conquest_hold_learners AFTER INSERT ON learning.pattern_conquest
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learning.hold_learners();
CREATE TRIGGER reviews_hold_learners AFTER INSERT ON learning.reviews
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learning.hold_learners();

-- Before each row, which is when a cascade is still the owner of this table: who may delete a learner need have no right to
-- what is derived of one.
CREATE FUNCTION learning.forget_reviews() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM learning.pattern_conquest WHERE user_id = OLD.user_id;
  DELETE FROM learning.reviews WHERE user_id = OLD.user_id;
  RETURN OLD;
END $$;
COMMENT ON FUNCTION learning.forget_reviews() IS 'Deletes the measures and reviews of a learner who is deleted.';
CREATE TRIGGER review_learners_forget_reviews BEFORE DELETE ON learning.review_learners
  FOR EACH ROW EXECUTE FUNCTION learning.forget_reviews();
