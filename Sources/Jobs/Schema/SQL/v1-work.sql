-- What the jobs remember between two runs, and what they could make nothing of.

CREATE TABLE learning.watermarks (
  job         text NOT NULL,
  parts       integer NOT NULL CHECK (parts >= 1),
  part        integer NOT NULL CHECK (part >= 0 AND part < parts),
  seen_until  timestamptz NOT NULL,
  seen_in     bigint NOT NULL,
  PRIMARY KEY (job, parts, part)
);
COMMENT ON TABLE learning.watermarks IS 'How far each part of an incremental job has read what the app writes.';
COMMENT ON COLUMN learning.watermarks.seen_until IS 'Whatever was received up to this instant has been seen, unless it committed later.';
COMMENT ON COLUMN learning.watermarks.seen_in IS 'Every transaction before this one was over when the job looked: whatever committed later was written in this one or after.';

CREATE TABLE learning.quarantine (
  user_id   bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  source    text NOT NULL,
  row_key   text NOT NULL,
  reason    text NOT NULL,
  found_at  timestamptz NOT NULL,
  found_by  text NOT NULL,
  PRIMARY KEY (user_id, source, row_key)
);
COMMENT ON TABLE learning.quarantine IS
  'Rows of the app that cannot be: jobs leave them out, and say why here. Whoever corrects one deletes its line.';
COMMENT ON COLUMN learning.quarantine.source IS 'The table of the row, such as sessions.';
COMMENT ON COLUMN learning.quarantine.row_key IS 'What finds it there, besides user_id; empty for the learner''s own row.';
