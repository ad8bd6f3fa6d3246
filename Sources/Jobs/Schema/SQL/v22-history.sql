-- What a streak has gone through goes with the streak, which goes with its learner. Whoever adds to it has locked the
-- streak already; to lock the learner as well wrote a page of learners for nearly every row.
--
-- Rows that are there are looked at by the next step, and held to learners until then.

-- Reviews of a day are revised where they lie: room for those of a page that are. First, as it may have to wait.
ALTER TABLE learning.reviews SET (fillfactor = 90);

ALTER TABLE learning.streak_events
  ADD CONSTRAINT streak_events_streak_fkey FOREIGN KEY (user_id) REFERENCES learning.streaks ON DELETE CASCADE NOT VALID;
ALTER TABLE learning.streak_repairs
  ADD CONSTRAINT streak_repairs_streak_fkey FOREIGN KEY (user_id) REFERENCES learning.streaks ON DELETE CASCADE NOT VALID;

-- A line for widgets goes with what has changed. One that is left says nothing, and goes when widgets are looked at next.
CREATE FUNCTION learning.forget_widget_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM learning.widget_changes WHERE user_id = OLD.user_id;
  RETURN OLD;
END $$;
COMMENT ON FUNCTION learning.forget_widget_change() IS 'Deletes the line of a learner who is deleted.';
CREATE TRIGGER streaks_forget_widget_change BEFORE DELETE ON learning.streaks
  FOR EACH ROW EXECUTE FUNCTION learning.forget_widget_change();
CREATE TRIGGER tokens_forget_widget_change BEFORE DELETE ON learning.brain_tokens
  FOR EACH ROW EXECUTE FUNCTION learning.forget_widget_change();
