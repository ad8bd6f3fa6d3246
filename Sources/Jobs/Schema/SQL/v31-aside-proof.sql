-- Everything that was put aside belongs to a learner who is there. A step of its own, as it reads what there is, and
-- nobody waits for it.

DELETE FROM learning.quarantine AS line
WHERE NOT EXISTS (SELECT FROM learning.users WHERE users.user_id = line.user_id);
ALTER TABLE learning.quarantine VALIDATE CONSTRAINT quarantine_user_id_fkey;
