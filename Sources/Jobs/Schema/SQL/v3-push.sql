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
  PRIMARY KEY (user_id, local_day),
  CONSTRAINT what_does_not_go_out_says_why CHECK (reason IS NOT NULL OR state NOT IN
    ('failed', 'uncertain', 'expired', 'suppressed')),
  CONSTRAINT a_planned_push_has_a_minute CHECK (
    state NOT IN ('planned', 'sending') OR
    (due_at IS NOT NULL AND window_from <= due_at AND due_at < window_to AND template IS NOT NULL)),
  CONSTRAINT only_sending_has_an_owner CHECK ((state = 'sending') = (owner IS NOT NULL)),
  CONSTRAINT what_was_sent_has_its_moment CHECK (sent_at IS NOT NULL OR state NOT IN ('sent', 'ignored'))
) WITH (fillfactor = 80);
COMMENT ON TABLE learning.notifications IS
  'One row for each learner and local day for which a push was decided: its key is what keeps a second one from going out.';
COMMENT ON COLUMN learning.notifications.local_day IS 'The learner''s calendar date on which the push goes out.';
COMMENT ON COLUMN learning.notifications.reason IS 'Why nothing went out, in one word, such as quiet_hours or studied_meanwhile.';
COMMENT ON COLUMN learning.notifications.kind IS
  'follow_up: after a session of this day; reminder: at the habitual hour; first: for whoever has no session yet.';
COMMENT ON COLUMN learning.notifications.window_from IS 'From when on it may go out; window_to: before when it must have.';
COMMENT ON COLUMN learning.notifications.due_at IS 'The minute that was chosen for it.';
COMMENT ON COLUMN learning.notifications.evidence_at IS 'The end of the session that the window follows; null without one.';
COMMENT ON COLUMN learning.notifications.tries IS 'How often it was to be handed over, be it to a provider that was known to take nothing.';
COMMENT ON COLUMN learning.notifications.not_before IS 'When it is tried again after it could not be sent; null: at once.';
COMMENT ON COLUMN learning.notifications.owner IS
  'The run and part that hands it over, as in 4711/0, while it does; only in this epoch of the part is it somebody''s.';
COMMENT ON COLUMN learning.notifications.sent_at IS 'When it was handed over, or may have been: what the gap between two pushes counts from.';
CREATE INDEX notifications_due ON learning.notifications (due_at) WHERE state = 'planned';
CREATE INDEX notifications_sending ON learning.notifications (sending_at) WHERE state = 'sending';
CREATE INDEX notifications_unanswered ON learning.notifications (local_day, user_id) WHERE state IN ('sent', 'uncertain');

CREATE TABLE learning.notification_events (
  user_id    bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  local_day  date NOT NULL,
  event      text NOT NULL CHECK (event IN ('push_sent', 'push_opened', 'push_ignored')),
  at         timestamptz NOT NULL,
  detail     text,
  written_in bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  PRIMARY KEY (user_id, local_day, event)
);
COMMENT ON TABLE learning.notification_events IS
  'What happened to pushes. The app appends push_opened when a push is tapped, the worker the others.';
COMMENT ON COLUMN learning.notification_events.at IS 'When it happened; a tap by the phone''s clock.';
COMMENT ON COLUMN learning.notification_events.written_in IS 'The transaction that wrote the row, so that one that commits late is not overlooked.';
CREATE INDEX pushes_opened ON learning.notification_events (at) WHERE event = 'push_opened';
CREATE INDEX events_written ON learning.notification_events USING brin (written_in);

CREATE TABLE learning.push_agenda (
  user_id    bigint PRIMARY KEY REFERENCES learning.users ON DELETE CASCADE,
  look_at    timestamptz NOT NULL,
  looked_at  timestamptz NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE learning.push_agenda IS
  'When to look next at each learner: the beginning of the window of the next push that is not decided.';
COMMENT ON COLUMN learning.push_agenda.looked_at IS
  'The instant that the latest run which looked stood for: a run for an earlier one lets the learner alone.';
CREATE INDEX push_agenda_due ON learning.push_agenda (look_at);

CREATE INDEX devices_dead ON learning.devices (invalidated_at) WHERE invalidated_at IS NOT NULL;
