-- The one push of a learner's local day.

CREATE TABLE learning.notifications (
  user_id       bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  local_day     date NOT NULL,
  state         text NOT NULL CHECK (state IN (
                  'planned', 'sending', 'sent', 'opened', 'ignored',
                  'failed', 'uncertain', 'expired', 'suppressed')),
  reason        text,
  kind          text NOT NULL CHECK (kind IN ('follow_up', 'reminder', 'first')),
  zone          text NOT NULL,
  window_from   timestamptz,
  window_to     timestamptz,
  due_at        timestamptz,
  template      text CHECK (template IN ('streak', 'pattern', 'encourage', 'basic')),
  variant       text,
  locale        text,
  pattern_code  text,
  streak_days   integer,
  evidence_at   timestamptz,
  planned_at    timestamptz NOT NULL,
  tries         smallint NOT NULL DEFAULT 0,
  not_before    timestamptz,
  owner         text,
  epoch         integer NOT NULL DEFAULT 0,
  device_id     bigint,
  provider      text,
  sending_at    timestamptz,
  sent_at       timestamptz,
  ended_at      timestamptz,
  answer        text,
  provider_id   text,
  PRIMARY KEY (user_id, local_day),
  CONSTRAINT what_does_not_go_out_says_why CHECK (reason IS NOT NULL OR state NOT IN
    ('failed', 'uncertain', 'expired', 'suppressed')),
  CONSTRAINT a_planned_push_has_a_minute CHECK (
    state NOT IN ('planned', 'sending') OR
    (due_at IS NOT NULL AND window_from <= due_at AND due_at < window_to AND template IS NOT NULL)),
  CONSTRAINT only_sending_has_an_owner CHECK ((state = 'sending') = (owner IS NOT NULL)),
  CONSTRAINT what_was_sent_has_its_moment CHECK (sent_at IS NOT NULL OR state NOT IN ('sent', 'ignored')),
  -- One that waits and has an end would never be found.
  CONSTRAINT what_waits_has_no_end CHECK (
    state NOT IN ('planned', 'sending') OR sent_at IS NULL AND ended_at IS NULL)
-- Room for most rows of a page to be claimed in the same minute.
) WITH (fillfactor = 60);
COMMENT ON TABLE learning.notifications IS
  'One row for each learner and local day for which a push was decided: its key is what keeps a second one from going out.';
COMMENT ON COLUMN learning.notifications.local_day IS 'The learner''s calendar date on which the push goes out.';
COMMENT ON COLUMN learning.notifications.reason IS 'Why nothing went out, in one word, such as quiet_hours or studied_meanwhile.';
COMMENT ON COLUMN learning.notifications.kind IS
  'follow_up: after a session of this day; reminder: at the habitual hour; first: for whoever has no session yet.';
COMMENT ON COLUMN learning.notifications.window_from IS 'From when on it may go out; window_to: before when it must have.';
COMMENT ON COLUMN learning.notifications.due_at IS 'The minute that was chosen for it.';
COMMENT ON COLUMN learning.notifications.evidence_at IS 'The end of the session that the window follows; null without one.';
COMMENT ON COLUMN learning.notifications.tries IS 'How often it was to be sent, be it to a provider that was known to take nothing.';
COMMENT ON COLUMN learning.notifications.not_before IS 'When it is tried again after it could not be sent; null: at once.';
COMMENT ON COLUMN learning.notifications.owner IS
  'The run and part that sends it, as in 4711/0, while it does; only in this epoch of the part is it somebody''s.';
COMMENT ON COLUMN learning.notifications.sent_at IS 'When it was sent, or may have been: what the gap between two pushes counts from.';
COMMENT ON COLUMN learning.notifications.answer IS
  'How the latest try ended, in the provider''s words or in ours where it said nothing; null: the provider took the push, or none was tried.';
COMMENT ON COLUMN learning.notifications.provider_id IS
  'By what the provider knows the push that it took: Apple''s apns-unique-id or apns-id, the name of FCM, the webhook-id; null: it gave no name.';
-- A push changes its state twice within a second, and Postgres writes to every index when a column changes that any of
-- them asks for. So they ask for the moments of its end, which a claim leaves alone: then a claim writes to none, where
-- there is room beside the row.
CREATE INDEX notifications_due ON learning.notifications (due_at) WHERE sent_at IS NULL AND ended_at IS NULL;
CREATE INDEX notifications_unanswered ON learning.notifications (local_day, user_id)
  WHERE sent_at IS NOT NULL AND ended_at IS NULL;

CREATE TABLE learning.notification_events (
  user_id    bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  local_day  date NOT NULL,
  event      text NOT NULL CHECK (event IN ('push_sent', 'push_opened', 'push_ignored')),
  at         timestamptz NOT NULL,
  detail     text,
  written_in bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  PRIMARY KEY (user_id, local_day, event),
  CONSTRAINT an_event_happened_at_some_time CHECK (at BETWEEN '0001-01-01Z' AND '9999-12-31Z')
);
COMMENT ON TABLE learning.notification_events IS
  'What happened to pushes. The app appends push_opened when a push is tapped, the worker the others.';
COMMENT ON COLUMN learning.notification_events.at IS 'When it happened; a tap by the phone''s clock.';
COMMENT ON COLUMN learning.notification_events.written_in IS 'The transaction that wrote the row, so that one that commits late is not overlooked.';
CREATE INDEX pushes_opened ON learning.notification_events (at) WHERE event = 'push_opened';
-- Events are only ever added, so autovacuum comes to their table rarely: it is asked to sum up each stretch of pages when
-- the next begins.
CREATE INDEX events_written ON learning.notification_events USING brin (written_in) WITH (autosummarize = on);

CREATE TABLE learning.push_agenda (
  user_id    bigint PRIMARY KEY REFERENCES learning.users ON DELETE CASCADE,
  look_at    timestamptz NOT NULL,
  looked_at  timestamptz NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE learning.push_agenda IS
  'When to look next at each learner: the beginning of the window of the next push that is not decided.';
COMMENT ON COLUMN learning.push_agenda.looked_at IS
  'The instant that the latest run which looked stood for: a run for an earlier one lets the learner alone.';
-- Who is due is read from the index that knows when.
CREATE INDEX push_agenda_due ON learning.push_agenda (look_at) INCLUDE (user_id);
