-- What the widgets show of those who have studied, changed or had a change of their streak or tokens since, and of
-- those where a day has begun.
-- What it does less: who lives in a zone that nobody knows is not put aside.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL jit = off;
-- As the job's chunks do.
SET LOCAL synchronous_commit = off;

\ir places.sql
CREATE TEMP TABLE touched ON COMMIT DROP AS
SELECT user_id FROM learning.sessions WHERE server_received_at > :'since' AND server_received_at <= :'at'
UNION SELECT user_id FROM learning.users WHERE changed_at > :'since' AND changed_at <= :'at'
UNION SELECT user_id FROM learning.widget_changes
UNION SELECT user_id FROM place JOIN learning.users ON users.zone = name WHERE local_day <> day_before;
ANALYZE touched;
\ir widgets.sql
COMMIT;
