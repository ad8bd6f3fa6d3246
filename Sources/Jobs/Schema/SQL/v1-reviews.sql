-- How well each learner knows each pattern, and what to review next.
--
-- Measures and reviews name patterns that a learner has attempts at, and those are held to the list of patterns: to hold
-- what is derived from them to it once more took as long as to write it. And they go with their learner by a row of
-- review_learners, written once for all rows of a statement: to look the learner of each new row up and lock them took
-- twice as long as to write it.

CREATE TABLE learning.pattern_conquest (
  user_id         bigint NOT NULL,
  pattern_id      integer NOT NULL,
  ewma            double precision NOT NULL CHECK (ewma BETWEEN 0 AND 1),
  hint_rate       double precision NOT NULL CHECK (hint_rate BETWEEN 0 AND 1),
  first_try_rate  double precision NOT NULL CHECK (first_try_rate BETWEEN 0 AND 1),
  conquest        double precision NOT NULL CHECK (conquest BETWEEN 0 AND 1),
  week_before     double precision CHECK (week_before BETWEEN 0 AND 1),
  trend           text NOT NULL CHECK (trend IN ('rising', 'steady', 'falling')),
  attempts        integer NOT NULL CHECK (attempts >= 0),
  box             smallint CHECK (box BETWEEN 1 AND 5),
  due_on          date,
  measured_at     timestamptz NOT NULL,
  PRIMARY KEY (user_id, pattern_id)
) WITH (fillfactor = 80);
COMMENT ON TABLE learning.pattern_conquest IS 'How well a learner knows a pattern, over the latest attempts.';
COMMENT ON COLUMN learning.pattern_conquest.attempts IS 'How many of the latest attempts it is measured over; under five it is still collecting.';
COMMENT ON COLUMN learning.pattern_conquest.week_before IS 'The conquest seven days earlier, over what had been answered then; null: nothing had.';
COMMENT ON COLUMN learning.pattern_conquest.box IS 'The box of the Leitner strategy, where the settings choose it.';
COMMENT ON COLUMN learning.pattern_conquest.due_on IS 'The date on which a pattern in a box is due.';
COMMENT ON COLUMN learning.pattern_conquest.measured_at IS
  'When the latest of these attempts was received: a measure depends on attempts, never on when it was made.';

CREATE TABLE learning.reviews (
  user_id     bigint NOT NULL,
  local_day   date NOT NULL,
  rank        smallint NOT NULL CHECK (rank BETWEEN 1 AND 3),
  pattern_id  integer NOT NULL,
  difficulty  text NOT NULL CHECK (difficulty IN ('basic', 'standard', 'advanced')),
  sentences   smallint NOT NULL CHECK (sentences BETWEEN 5 AND 8),
  state       text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done')),
  locked      boolean NOT NULL,
  conquest    double precision NOT NULL,
  at          timestamptz NOT NULL,
  PRIMARY KEY (user_id, local_day, rank),
  CONSTRAINT a_pattern_is_recommended_once_a_day UNIQUE (user_id, local_day, pattern_id),
  CONSTRAINT a_review_is_of_a_day CHECK (isfinite(local_day))
-- Reviews of a day are revised where they lie: room for those of a page that are.
) WITH (fillfactor = 90);
COMMENT ON TABLE learning.reviews IS 'What a learner should review on a local day, the weakest pattern first. The app turns open into done.';
COMMENT ON COLUMN learning.reviews.locked IS 'Shown, and open to those with the pro plan only.';

CREATE TABLE learning.review_learners (
  user_id     bigint PRIMARY KEY REFERENCES learning.users ON DELETE CASCADE,
  written_in  bigint NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE learning.review_learners IS
  'Who has measures or reviews, which go with this row, as it goes with the learner. Kept by triggers.';
COMMENT ON COLUMN learning.review_learners.written_in IS
  'The transaction that added a measure or a review last.';

-- The row is written, not only locked: a transaction that deletes the learner by an older snapshot would leave what that
-- does not show, and fails instead, as by a foreign key.
CREATE FUNCTION learning.hold_learners() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
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
CREATE FUNCTION learning.forget_reviews() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM learning.pattern_conquest WHERE user_id = OLD.user_id;
  DELETE FROM learning.reviews WHERE user_id = OLD.user_id;
  RETURN OLD;
END $$;
COMMENT ON FUNCTION learning.forget_reviews() IS 'Deletes the measures and reviews of a learner who is deleted.';
CREATE TRIGGER review_learners_forget_reviews BEFORE DELETE ON learning.review_learners
  FOR EACH ROW EXECUTE FUNCTION learning.forget_reviews();
