-- Upgrades without a gap: which daemon has begun to decide, and who asked which to end.

ALTER TABLE jobkit.daemon
  ADD COLUMN ready_at       timestamptz,
  ADD COLUMN by_hand        boolean NOT NULL DEFAULT false,
  ADD COLUMN drain_asked_at timestamptz,
  ADD COLUMN drain_asked_by text,
  ADD CONSTRAINT a_drain_has_an_author CHECK ((drain_asked_at IS NULL) = (drain_asked_by IS NULL));
COMMENT ON COLUMN jobkit.daemon.ready_at IS
  'When it was seen to have decided all that was due: from then on others may leave.';
COMMENT ON COLUMN jobkit.daemon.by_hand IS 'Whether it is one run by hand, which decides nothing and ends with its run.';
COMMENT ON COLUMN jobkit.daemon.drain_asked_at IS
  'When it was asked to stop at its next chunks and end; it hears of it with its next look at the ledger.';
