-- Ranges of learners who may have changed are asked for no more.

DROP INDEX learning.users_written;
ALTER INDEX learning.users_news RENAME TO users_written;
