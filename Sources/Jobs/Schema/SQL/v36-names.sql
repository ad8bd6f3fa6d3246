-- A function looks names up in the path of the role that calls it, and what another role has left there could run
-- with the rights of the caller. These find PostgreSQL's own functions and operators alone.

ALTER FUNCTION learning.note_transaction() SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION learning.note_move() SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION learning.note_widget_change() SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION learning.forget_widget_change() SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION learning.hold_learners() SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION learning.forget_reviews() SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION learning.leaderboard_places(text, text, bigint, bigint) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION learning.leaderboard_around(bigint, text, text, integer) SET search_path = pg_catalog, pg_temp;
