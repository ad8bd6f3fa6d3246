-- A learner whose row the app has just changed may stand anywhere among the others, and every job that asks what is
-- new reads all pages of a range in which one was changed. So a range is a sixteenth of what Postgres makes it by
-- itself; where the rows are in the order in which they were written, as sessions are, ranges stay long.

ALTER INDEX learning.users_written SET (pages_per_range = 8);
ALTER INDEX learning.devices_written SET (pages_per_range = 8);
REINDEX INDEX learning.users_written;
REINDEX INDEX learning.devices_written;
