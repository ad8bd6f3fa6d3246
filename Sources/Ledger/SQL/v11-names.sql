-- A function looks names up in the path of the role that calls it, and what another role has left there could run
-- with the rights of the caller. These find PostgreSQL's own functions and operators alone.

ALTER FUNCTION jobkit.keeps_its_rules(jobkit.run) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION jobkit.keeps_its_rules(jobkit.part) SET search_path = pg_catalog, pg_temp;
