-- What was put aside of a learner goes with the learner. No other table kept a word of one who was deleted.
--
-- Rows that are there are looked at by the next step.

ALTER TABLE learning.quarantine
  ADD CONSTRAINT quarantine_user_id_fkey FOREIGN KEY (user_id) REFERENCES learning.users ON DELETE CASCADE NOT VALID;
