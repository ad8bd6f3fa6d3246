-- Parts of a run have other learners than before, namely neighbours. How far each part has read holds for those whom it
-- had: so jobs that run in parts read once what they have read already, which changes nothing that was decided.

DELETE FROM learning.watermarks WHERE parts > 1;
