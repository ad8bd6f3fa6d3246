-- How well each learner knows each pattern, and what to review next.

CREATE TABLE learning.pattern_conquest (
  user_id         bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  pattern_id      integer NOT NULL REFERENCES learning.patterns,
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
  user_id     bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  local_day   date NOT NULL,
  rank        smallint NOT NULL CHECK (rank BETWEEN 1 AND 3),
  pattern_id  integer NOT NULL REFERENCES learning.patterns,
  difficulty  text NOT NULL CHECK (difficulty IN ('basic', 'standard', 'advanced')),
  sentences   smallint NOT NULL CHECK (sentences BETWEEN 5 AND 8),
  state       text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done')),
  locked      boolean NOT NULL,
  conquest    double precision NOT NULL,
  at          timestamptz NOT NULL,
  PRIMARY KEY (user_id, local_day, rank),
  CONSTRAINT a_pattern_is_recommended_once_a_day UNIQUE (user_id, local_day, pattern_id)
);
COMMENT ON TABLE learning.reviews IS 'What a learner should review on a local day, the weakest pattern first. The app turns open into done.';
COMMENT ON COLUMN learning.reviews.locked IS 'Shown, and open to those with the pro plan only.';
