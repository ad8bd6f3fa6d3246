-- What each daemon can live with, so that no migration takes away what one that is alive still uses.

ALTER TABLE jobkit.daemon ADD COLUMN schemas jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN jobkit.daemon.schemas IS
  'The newest version of each schema that its program knows, by the schema''s name; empty of programs from before this column.';
