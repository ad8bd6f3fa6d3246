-- What home screen widgets show.

CREATE TABLE learning.widget_snapshots (
  user_id              bigint PRIMARY KEY REFERENCES learning.users ON DELETE CASCADE,
  local_day            date NOT NULL,
  sentences_remaining  smallint NOT NULL CHECK (sentences_remaining BETWEEN 0 AND 12),
  streak               integer NOT NULL CHECK (streak >= 0),
  tokens               smallint NOT NULL CHECK (tokens BETWEEN 0 AND 3),
  updated_at           timestamptz NOT NULL
) WITH (fillfactor = 80);
COMMENT ON TABLE learning.widget_snapshots IS 'What the home screen widgets show; a row changes only when what it shows does.';

-- Streaks and tokens tell since when they are as they are, which may be long before they were found to be so:
-- no instant of theirs says whether a widget has shown them. So each change leaves a line here.
CREATE TABLE learning.widget_changes (
  user_id  bigint PRIMARY KEY
);
COMMENT ON TABLE learning.widget_changes IS
  'Learners whose streak or tokens have changed since their widgets were looked at last; whoever looks deletes the line.';

CREATE FUNCTION learning.note_widget_change() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO learning.widget_changes (user_id)
  SELECT DISTINCT user_id FROM changed ORDER BY user_id
  -- Not nothing: whoever is about to delete the line has to wait, and then sees the change.
  ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION learning.note_widget_change() IS 'Leaves a line for each learner whose row has changed.';

CREATE TRIGGER new_streaks_change_widgets AFTER INSERT ON learning.streaks
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION learning.note_widget_change();
CREATE TRIGGER streaks_change_widgets AFTER UPDATE ON learning.streaks
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION learning.note_widget_change();
CREATE TRIGGER new_tokens_change_widgets AFTER INSERT ON learning.brain_tokens
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION learning.note_widget_change();
CREATE TRIGGER tokens_change_widgets AFTER UPDATE ON learning.brain_tokens
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION learning.note_widget_change();

-- A line for widgets goes with what has changed. One that is left says nothing, and goes when widgets are looked at next.
CREATE FUNCTION learning.forget_widget_change() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM learning.widget_changes WHERE user_id = OLD.user_id;
  RETURN OLD;
END $$;
COMMENT ON FUNCTION learning.forget_widget_change() IS 'Deletes the line of a learner who is deleted.';
CREATE TRIGGER streaks_forget_widget_change BEFORE DELETE ON learning.streaks
  FOR EACH ROW EXECUTE FUNCTION learning.forget_widget_change();
CREATE TRIGGER tokens_forget_widget_change BEFORE DELETE ON learning.brain_tokens
  FOR EACH ROW EXECUTE FUNCTION learning.forget_widget_change();
