-- Events are only ever added, so hardly anything leads autovacuum to their table; and until it comes, every job that asks
-- which taps are new reads all pages that were filled since. Now each stretch of pages is summed up when the next begins.

ALTER INDEX learning.events_written SET (autosummarize = on);
SELECT brin_summarize_new_values('learning.events_written');
