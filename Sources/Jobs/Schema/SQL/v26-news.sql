-- Whose row the app has changed is found by the row, where an index of ranges told of eight pages for each, all learners
-- on which were read: every job that asks what is new asks so, some of them twice. What the app pays for it is an entry at
-- the end of an index, as it does for the time of the change.

CREATE INDEX users_news ON learning.users (written_in);
CREATE INDEX devices_news ON learning.devices (written_in);

DROP INDEX learning.users_written;
DROP INDEX learning.devices_written;
ALTER INDEX learning.users_news RENAME TO users_written;
ALTER INDEX learning.devices_news RENAME TO devices_written;
