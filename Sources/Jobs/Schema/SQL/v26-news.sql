-- Whose row the app has changed is found by the row, where an index of ranges told of eight pages for each, all learners
-- on which were read: every job that asks what is new asks so, some of them twice. What the app pays for it is an entry at
-- the end of an index, as it does for the time of the change.
--
-- A step for each table, and others to drop what they replace: who makes an index holds its table against writers, and
-- whoever of them has read it already would be in a deadlock with one who went on to drop.

CREATE INDEX users_news ON learning.users (written_in);
