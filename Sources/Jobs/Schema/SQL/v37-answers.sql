-- Whoever asks a provider what became of a push has to name it as the provider does, and wants to know what it said.
--
-- Neither column has a default: no row is read, and the table is taken for an instant.

ALTER TABLE learning.notifications
  ADD COLUMN answer text,
  ADD COLUMN provider_id text;
COMMENT ON COLUMN learning.notifications.answer IS
  'How the latest try ended, in the provider''s words or in ours where it said nothing; null: the provider took the push, or none was tried.';
COMMENT ON COLUMN learning.notifications.provider_id IS
  'By what the provider knows the push that it took: Apple''s apns-unique-id or apns-id, the name of FCM, the webhook-id; null: it gave no name.';
