-- Requests: how an app asks for a run in a transaction of its own.
--
-- These functions run with the rights of the ledger's owner. They look every name up in pg_catalog or write its schema,
-- whatever the caller's search_path, and no text of the caller becomes SQL.

CREATE FUNCTION jobkit.argument_of(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE WHEN jsonb_typeof(value) IN ('string', 'number', 'boolean') THEN value #>> '{}' END
$$;
COMMENT ON FUNCTION jobkit.argument_of(jsonb) IS 'The text of a value; null: it is none that an argument can have.';

CREATE FUNCTION jobkit.takes(argument jsonb, value text) RETURNS boolean LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF value IS NULL OR length(value) > 1000 THEN RETURN false; END IF;
  IF argument -> 'choices' <> '[]' THEN RETURN argument -> 'choices' ? value; END IF;
  CASE argument ->> 'kind'
    WHEN 'number' THEN RETURN value ~ '^-?[0-9]{1,18}$';
    WHEN 'day' THEN RETURN value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' AND value::date IS NOT NULL;
    ELSE RETURN true;
  END CASE;
EXCEPTION WHEN data_exception THEN RETURN false; -- As of 30 February.
END $$;
COMMENT ON FUNCTION jobkit.takes(jsonb, text) IS 'Whether an argument of a job, as jobkit.job.requests has it, may have this value.';

CREATE FUNCTION jobkit.check_arguments(job text, known jsonb, arguments jsonb) RETURNS void LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  wanted record;
  argument jsonb;
BEGIN
  IF jsonb_typeof(arguments) <> 'object' THEN
    RAISE 'the arguments of a request are an object such as {"day": "2026-03-01"}, and not JSON of type %',
      jsonb_typeof(arguments) USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR wanted IN SELECT * FROM jsonb_each(arguments) LOOP
    SELECT one INTO argument FROM jsonb_array_elements(known) AS one WHERE one ->> 'name' = wanted.key;
    IF NOT FOUND THEN
      RAISE 'the job ''%'' has no argument ''%'': it takes %', job, left(wanted.key, 63),
        coalesce((SELECT string_agg(one ->> 'usage', ', ') FROM jsonb_array_elements(known) AS one), 'none')
        USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT jobkit.takes(argument, jobkit.argument_of(wanted.value)) THEN
      RAISE 'the job ''%'' cannot take % as ''%'': ask for %', job, left(wanted.value::text, 40), wanted.key,
        (argument ->> 'usage')
          || CASE WHEN length(wanted.value::text) > 1000 THEN ', with at most 1000 characters' ELSE '' END USING ERRCODE = 'invalid_parameter_value';
    END IF;
  END LOOP;
END $$;
COMMENT ON FUNCTION jobkit.check_arguments(text, jsonb, jsonb) IS
  'Refuses arguments that a job does not know, and values that they cannot have, and says which they can.';

CREATE FUNCTION jobkit.request(
  job text, arguments jsonb DEFAULT '{}', key text DEFAULT NULL, at timestamptz DEFAULT NULL,
  OUT run bigint, OUT is_new boolean
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  asked_at CONSTANT timestamptz := clock_timestamp();
  values_asked CONSTANT jsonb := coalesce(request.arguments, '{}');
  form jsonb;
BEGIN
  SELECT known.requests INTO form FROM jobkit.job AS known WHERE known.name = request.job;
  IF form IS NULL THEN
    RAISE 'there is no job ''%'' to ask for: a daemon has %', left(coalesce(request.job, ''), 63), coalesce((
      SELECT string_agg(name, ', ' ORDER BY name) || CASE WHEN max(others) > 0 THEN format(' and %s more', max(others)) ELSE '' END
      FROM (SELECT name, count(*) OVER () - 10 AS others FROM jobkit.job WHERE requests IS NOT NULL ORDER BY name LIMIT 10) AS few
    ), 'none yet') USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM jobkit.check_arguments(request.job, form -> 'arguments', values_asked);
  IF length(request.key) NOT BETWEEN 1 AND 200 THEN
    RAISE 'a key has 1 to 200 characters, and not %', length(request.key) USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF request.at < '1970-01-01 00:00:00Z' OR request.at > asked_at + interval '10 years' THEN
    RAISE 'a run cannot be asked for at %: write a time from 1970 on and at most ten years ahead', request.at
      USING ERRCODE = 'invalid_parameter_value';
  END IF;

  FOR tries IN 1..10 LOOP
    SELECT known.id, false INTO request.run, request.is_new
    FROM jobkit.run AS known WHERE known.job = request.job AND known.request_key = request.key;
    IF FOUND THEN RETURN; END IF;
    -- Of two that ask at once with one key the second waits here for the end of the first's transaction.
    INSERT INTO jobkit.run (job, scheduled_for, trigger, state, exclusive, priority, percent, parts, parts_left,
      argument_names, argument_values, decided_at, decided_by, request_key, waits_until)
    SELECT request.job, coalesce(request.at, asked_at), 'request', 'waiting', (form -> 'exclusive')::boolean,
      (form -> 'priority')::smallint, (form -> 'percent')::smallint, (form -> 'parts')::integer,
      (form -> 'parts')::integer, coalesce(array_agg(wanted.key ORDER BY wanted.key), '{}'),
      coalesce(array_agg(jobkit.argument_of(wanted.value) ORDER BY wanted.key), '{}'), asked_at, session_user,
      request.key, request.at
    FROM jsonb_each(values_asked) AS wanted
    ON CONFLICT (job, request_key) WHERE request_key IS NOT NULL DO NOTHING
    RETURNING id, true INTO request.run, request.is_new;
    IF FOUND THEN RETURN; END IF;
  END LOOP;
  RAISE 'the run of key ''%'' is deleted again and again: ask once more', request.key
    USING ERRCODE = 'serialization_failure';
END $$;
COMMENT ON FUNCTION jobkit.request(text, jsonb, text, timestamptz) IS
  'Enters a run of a job as part of the caller''s transaction, or gets the one that the key has: is_new says which.';

-- Functions are everybody's by default; `worker migrate up` grants the one to the role that asks.
REVOKE ALL ON FUNCTION jobkit.argument_of(jsonb), jobkit.takes(jsonb, text), jobkit.check_arguments(text, jsonb, jsonb),
  jobkit.request(text, jsonb, text, timestamptz) FROM PUBLIC;
