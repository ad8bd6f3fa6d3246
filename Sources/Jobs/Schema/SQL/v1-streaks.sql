-- Streaks, brain tokens, and what days in a row have earned.
--
-- What a streak has gone through goes with the streak, which goes with its learner. Whoever adds to it has locked the
-- streak already; to lock the learner as well wrote a page of learners for nearly every row.

CREATE TABLE learning.streaks (
  user_id            bigint PRIMARY KEY REFERENCES learning.users ON DELETE CASCADE,
  state              text NOT NULL CHECK (state IN ('none', 'kept', 'repairable')),
  length             integer NOT NULL CHECK (length >= 0),
  longest            integer NOT NULL CHECK (longest >= length),
  started_on         date,
  last_day           date,
  missed_day         date,
  repairable_until   date,
  check_at           timestamptz,
  changed_at         timestamptz NOT NULL,
  CONSTRAINT a_streak_has_days CHECK ((state = 'none') = (length = 0)),
  CONSTRAINT a_streak_has_a_beginning CHECK ((length = 0) = (started_on IS NULL)),
  CONSTRAINT what_can_be_repaired_was_missed CHECK
    ((state = 'repairable') = (missed_day IS NOT NULL) AND (state = 'repairable') = (repairable_until IS NOT NULL))
) WITH (fillfactor = 80);
COMMENT ON TABLE learning.streaks IS 'How many days in a row each learner has studied, as of changed_at.';
COMMENT ON COLUMN learning.streaks.length IS
  'Studied days in the chain; a day that a token repaired, or that a move has skipped, keeps the chain and adds nothing.';
COMMENT ON COLUMN learning.streaks.last_day IS 'The last local day that the chain reaches: studied, repaired, or skipped by a move.';
COMMENT ON COLUMN learning.streaks.missed_day IS 'The local day that a brain token can still repair.';
COMMENT ON COLUMN learning.streaks.repairable_until IS 'The last local day on which it can.';
COMMENT ON COLUMN learning.streaks.check_at IS 'When the next missed day can be told: its end and the hours of grace; null: nothing can be missed.';
COMMENT ON COLUMN learning.streaks.changed_at IS 'The instant from which on it was so: the run that found it may have come later.';
CREATE INDEX streaks_to_check ON learning.streaks (check_at) INCLUDE (user_id) WHERE check_at IS NOT NULL;

CREATE TABLE learning.streak_events (
  user_id        bigint NOT NULL CONSTRAINT streak_events_streak_fkey REFERENCES learning.streaks ON DELETE CASCADE,
  number         integer NOT NULL,
  event          text NOT NULL CHECK (event IN (
                   'extended', 'repairable', 'repaired', 'reset', 'restored', 'travelled', 'shortened')),
  day            date NOT NULL,
  cause          text NOT NULL,
  length_before  integer NOT NULL,
  length_after   integer NOT NULL,
  at             timestamptz NOT NULL,
  PRIMARY KEY (user_id, number)
);
COMMENT ON TABLE learning.streak_events IS 'Everything that ever happened to a streak, numbered, with its cause; never changed.';
COMMENT ON COLUMN learning.streak_events.event IS
  'extended: a day was studied; repairable, repaired: a day was missed while a token is held, and one was spent on it; reset: the chain has ended; restored: a reset or an offer is undone; travelled: a move has skipped a day; shortened: sessions of some of its days were deleted or corrected.';
COMMENT ON COLUMN learning.streak_events.day IS 'The local day that it is about.';
COMMENT ON COLUMN learning.streak_events.at IS
  'When it came to be: a study was received, a day and its hours of grace were over. The run that found it may have come later.';

CREATE TABLE learning.streak_repairs (
  user_id      bigint NOT NULL CONSTRAINT streak_repairs_streak_fkey REFERENCES learning.streaks ON DELETE CASCADE,
  day          date NOT NULL,
  state        text NOT NULL CHECK (state IN (
                 'offered', 'accepted', 'repaired', 'lapsed', 'returned', 'withdrawn', 'travelled')),
  offered_at   timestamptz NOT NULL,
  accepted_at  timestamptz,
  ended_at     timestamptz,
  PRIMARY KEY (user_id, day),
  CONSTRAINT what_was_accepted_has_its_moment CHECK
    (accepted_at IS NOT NULL OR state NOT IN ('accepted', 'repaired', 'returned')),
  CONSTRAINT what_is_open_has_no_end CHECK ((ended_at IS NULL) = (state IN ('offered', 'accepted'))),
  CONSTRAINT a_repair_is_of_a_day CHECK (isfinite(day)),
  CONSTRAINT a_repair_was_offered_at_some_time CHECK (
    offered_at BETWEEN '0001-01-01Z' AND '9999-12-31Z' AND ended_at BETWEEN '0001-01-01Z' AND '9999-12-31Z'),
  CONSTRAINT a_repair_was_accepted_at_some_time CHECK (accepted_at BETWEEN '0001-01-01Z' AND '9999-12-31Z')
);
COMMENT ON TABLE learning.streak_repairs IS
  'The offer to repair a missed day with a brain token, which the app shows and turns into accepted; and days that a move has skipped.';
COMMENT ON COLUMN learning.streak_repairs.state IS
  'offered and accepted wait; repaired: a token was spent; returned: the day turned out to be studied, the token was given back; withdrawn: so it did before one was spent; lapsed: the time passed; travelled: a move has skipped the day, which cost no token.';
COMMENT ON COLUMN learning.streak_repairs.accepted_at IS 'When the learner said yes, by the app''s server''s clock.';
CREATE INDEX repairs_accepted ON learning.streak_repairs (user_id) WHERE state = 'accepted';

CREATE TABLE learning.brain_tokens (
  user_id  bigint PRIMARY KEY REFERENCES learning.users ON DELETE CASCADE,
  balance  smallint NOT NULL CHECK (balance BETWEEN 0 AND 3)
) WITH (fillfactor = 80);
COMMENT ON TABLE learning.brain_tokens IS 'How many brain tokens a learner holds: always the sum of the token entries.';

CREATE TABLE learning.token_entries (
  user_id  bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  entry    text NOT NULL,
  amount   smallint NOT NULL CHECK (amount BETWEEN -1 AND 1),
  reason   text NOT NULL CHECK (reason IN ('earned', 'capped', 'spent', 'returned')),
  at       timestamptz NOT NULL,
  PRIMARY KEY (user_id, entry),
  CONSTRAINT a_capped_token_changes_nothing CHECK (
    amount = CASE reason WHEN 'earned' THEN 1 WHEN 'returned' THEN 1 WHEN 'spent' THEN -1 ELSE 0 END)
);
COMMENT ON TABLE learning.token_entries IS 'The ledger of brain tokens; never changed.';
COMMENT ON COLUMN learning.token_entries.entry IS 'What it is for, such as earned:2026-03-01:7 or spent:2026-03-09: no entry is made twice.';

CREATE TABLE learning.awards (
  user_id     bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  started_on  date NOT NULL,
  days        integer NOT NULL CHECK (days > 0),
  kind        text NOT NULL CHECK (kind IN ('title', 'token', 'theme')),
  reason      text NOT NULL CHECK (reason IN ('milestone', 'weekly', 'capped', 'returned')),
  at          timestamptz NOT NULL,
  PRIMARY KEY (user_id, started_on, days, kind, reason)
);
COMMENT ON TABLE learning.awards IS 'What the days of a streak have earned: each once for each streak, by the day it began.';
COMMENT ON COLUMN learning.awards.reason IS
  'milestone and weekly are earned; capped and returned: a theme in place of a token, one earned or given back to a learner who holds three.';
