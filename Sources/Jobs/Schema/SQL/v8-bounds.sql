-- What no server's clock shows and no calendar has: one such row would stop a job for everybody, since nobody can
-- compare it, count its days or put it into an index. What a phone may get wrong is not refused here.
--
-- Not for the rows that are there: to read them all would keep the app waiting.

ALTER TABLE learning.users
  ADD CONSTRAINT a_learner_was_written_at_some_time CHECK (
    created_at BETWEEN '0001-01-01Z' AND '9999-12-31Z' AND changed_at BETWEEN '0001-01-01Z' AND '9999-12-31Z') NOT VALID;
ALTER TABLE learning.devices
  ADD CONSTRAINT a_device_was_registered_at_some_time CHECK (
    registered_at BETWEEN '0001-01-01Z' AND '9999-12-31Z') NOT VALID;
ALTER TABLE learning.sessions
  ADD CONSTRAINT a_session_arrived_at_some_time CHECK (
    server_received_at BETWEEN '0001-01-01Z' AND '9999-12-31Z') NOT VALID,
  ADD CONSTRAINT a_session_has_a_day CHECK (isfinite(local_day)) NOT VALID,
  ADD CONSTRAINT a_category_is_a_name CHECK (octet_length(category) <= 200) NOT VALID;
ALTER TABLE learning.attempts
  ADD CONSTRAINT an_attempt_was_answered_at_some_time CHECK (isfinite(answered_at)) NOT VALID,
  ADD CONSTRAINT an_attempt_arrived_at_some_time CHECK (
    received_at BETWEEN '0001-01-01Z' AND '9999-12-31Z') NOT VALID;
ALTER TABLE learning.reward_pending
  ADD CONSTRAINT a_reward_arrived_at_some_time CHECK (
    received_at BETWEEN '0001-01-01Z' AND '9999-12-31Z') NOT VALID;
ALTER TABLE learning.streak_repairs
  ADD CONSTRAINT a_repair_was_accepted_at_some_time CHECK (
    accepted_at BETWEEN '0001-01-01Z' AND '9999-12-31Z') NOT VALID;
ALTER TABLE learning.notification_events
  ADD CONSTRAINT an_event_happened_at_some_time CHECK (
    at BETWEEN '0001-01-01Z' AND '9999-12-31Z') NOT VALID;
