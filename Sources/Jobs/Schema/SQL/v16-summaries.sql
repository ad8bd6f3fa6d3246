-- Events are only ever added, so autovacuum comes to their table rarely; and until it does, every job that asks which
-- taps are new reads all pages that were filled since. Now autovacuum is asked to sum up each stretch of pages when the
-- next begins. What is not summed up yet waits for it as before: to read it here would keep the app waiting.

ALTER INDEX learning.events_written SET (autosummarize = on);
