-- Every run and every part that is there keeps its rules. A step of its own, as it reads them all, and nobody waits for
-- it.

ALTER TABLE jobkit.run VALIDATE CONSTRAINT a_run_keeps_its_rules;
ALTER TABLE jobkit.part VALIDATE CONSTRAINT a_part_keeps_its_rules;
