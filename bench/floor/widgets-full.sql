-- What the widgets of everybody show.
-- What it does less: who lives in a zone that nobody knows is not put aside.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL jit = off;
-- As the job's chunks do.
SET LOCAL synchronous_commit = off;

\ir places.sql
CREATE TEMP TABLE touched ON COMMIT DROP AS SELECT user_id FROM learning.users ORDER BY user_id;
ANALYZE touched;
\ir widgets.sql
COMMIT;
