import JobKit
import Postgres
import TestSupport
import Testing

/// What another role leaves where the owner and the worker look names up.
@Suite("Names that PostgreSQL looks up")
struct SearchPathTests {
  private let server: PrivateServer
  private let folder: ScratchFolder

  init() throws {
    server = try PrivateServer()
    folder = try ScratchFolder()
    try server.connect().run(
      script: """
        CREATE ROLE ledger_owner LOGIN; CREATE ROLE app_worker LOGIN; CREATE ROLE app_reader LOGIN;
        GRANT CREATE ON DATABASE postgres TO ledger_owner;
        CREATE SEQUENCE public.caught; GRANT USAGE ON SEQUENCE public.caught TO PUBLIC;
        """)
  }

  /// Runs a line of words.
  private func worker(_ line: String, as role: String) throws -> Program {
    try folder.write(
      """
      [database]
      url = "\(server.url(user: role))"
      worker_role = "app_worker"
      reader_role = "app_reader"
      [push]
      log = "\(folder.path)/pushes"
      """, to: "worker.toml", mode: 0o644)
    return try Program(
      words: line.split(separator: " ").map(String.init),
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "USER": "ana",
        "TZDIR": TestEnvironment.zoneinfo,
      ])
  }

  /// How often something that stands before PostgreSQL's own was called: of a sequence nothing is rolled back.
  private func caught() throws -> Int {
    try server.connect().run(
      "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM public.caught"
    ).only[0]
  }

  /// What PostgreSQL 14 has by default, and a function of the reader that fits a call better than PostgreSQL's own.
  private func layTrap() throws {
    try server.connect().run(script: "GRANT CREATE ON SCHEMA public TO PUBLIC")
    try Connection(to: Server(server.url(user: "app_reader"))).run(
      script: """
        CREATE FUNCTION public.to_jsonb(step jobkit.migration) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_catalog.nextval('public.caught');
          RETURN pg_catalog.to_jsonb(step);
        END $$;
        CREATE FUNCTION public.same_name(name, varchar) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_catalog.nextval('public.caught');
          RETURN $1::text OPERATOR(pg_catalog.=) $2;
        END $$;
        CREATE OPERATOR public.= (LEFTARG = name, RIGHTARG = varchar, FUNCTION = public.same_name);
        """)
  }

  @Test func `a reader's function in public runs for nobody, whoever migrates, looks or works`()
    throws
  {
    #expect(try worker("migrate up", as: "ledger_owner").exitCode == 0)
    try layTrap()
    // So a trap is one: whoever looks names up as they are met calls it.
    let victim = try Connection(to: Server(server.url(user: "ledger_owner")))
    try victim.run("SELECT to_jsonb(migration) FROM jobkit.migration LIMIT 1")
    #expect(try caught() == 1)

    for line in ["migrate up", "migrate up --dry-run", "migrate status", "doctor"] {
      _ = try worker(line, as: "ledger_owner")
    }
    #expect(try worker("daemon --check", as: "app_worker").exitCode == 0)
    #expect(try worker("run deliver_pushes", as: "app_worker").exitCode == 0)
    try server.connect().run(script: "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    #expect(try worker("migrate up", as: "ledger_owner").exitCode == 0)

    #expect(try caught() == 1)
  }

  @Test
  func `migrate up refuses a schema where others may create, until it is closed or passed by`()
    throws
  {
    try server.connect().run(script: "GRANT CREATE ON SCHEMA public TO PUBLIC")

    let refused = try worker("migrate up", as: "ledger_owner")
    try server.connect().run(
      script: """
        ALTER ROLE ledger_owner SET search_path = pg_catalog, pg_temp;
        ALTER ROLE app_worker SET search_path = pg_catalog, pg_temp;
        """)
    let passedBy = try worker("migrate up", as: "ledger_owner")
    try server.connect().run(
      script:
        "ALTER ROLE ledger_owner RESET search_path; REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    let closed = try worker("migrate up", as: "ledger_owner")

    #expect(
      refused.errors
        == "worker: every role (PUBLIC) may create functions in the schema public, where app_worker and"
        + " ledger_owner look names up: what is left there could run with the rights of the owner; nothing was"
        + " changed: let an administrator type 'REVOKE CREATE ON SCHEMA public FROM PUBLIC', or where that must"
        + " stay 'ALTER ROLE app_worker SET search_path = pg_catalog, pg_temp' and 'ALTER ROLE ledger_owner SET"
        + " search_path = pg_catalog, pg_temp', then migrate\n")
    #expect(refused.exitCode == 75)
    #expect(passedBy.exitCode == 0, "\(passedBy.errors)")
    #expect(closed.exitCode == 0, "\(closed.errors)")
  }

  @Test func `the doctor warns of a schema where others may create, and says what to type`() throws
  {
    #expect(try worker("migrate up", as: "ledger_owner").exitCode == 0)

    let well = try worker("doctor --only search_path", as: "app_worker")
    try server.connect().run(script: "GRANT CREATE ON SCHEMA jobkit TO app_reader")
    let sick = try worker("doctor --only search_path", as: "app_worker")

    #expect(
      well.output.contains("no other role may create where the roles of the ledger look names up"))
    #expect(
      sick.output.contains(
        "search_path: the role app_reader may create functions in the schema jobkit, where app_worker and"
          + " ledger_owner look names up"))
    #expect(sick.output.contains("do: 'REVOKE CREATE ON SCHEMA jobkit FROM app_reader'\n"))
  }

  @Test func `shadows of all functions and operators of PostgreSQL are never called`() throws {
    let administrator = try server.connect()
    try administrator.run(script: Self.shadowing)
    let shadows: Int = try administrator.run(
      "SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
    ).only[0]
    #expect(shadows > 1500)

    for (role, lines) in Self.lines {
      for line in lines {
        let program = try worker(line, as: role)
        let errors = program.errors
        #expect(
          !errors.contains("shadow") && !errors.contains("does not exist"), "\(line): \(errors)")
        #expect(![69, 70, 77].contains(program.exitCode), "\(line): \(errors)")
        #expect(try caught() == 0, "\(line)")
      }
    }
  }

  private static let lines: [(role: String, lines: [String])] = [
    (
      "ledger_owner",
      [
        "migrate up", "migrate up --dry-run", "migrate status", "migrate up",
        "demo data --learners 50 --days 14",
      ]
    ),
    ("app_worker", ["daemon --check", "pause settle_rewards", "resume settle_rewards"]),
    ("app_worker", AppJobs.all.map { "run \($0) --dry-run" }),
    ("app_worker", AppJobs.all.map { "run \($0)" }),
    (
      "app_reader",
      [
        "jobs", "runs", "ps", "daemons", "audit", "why settle_rewards",
        "why schedule_daily_push --user 1", "report", "forecast schedule_daily_push", "notify",
        "health", "doctor",
      ]
    ),
  ]

  /// Everything of PostgreSQL that can be made again under the same name stands before it, and fails.
  private static let shadowing = """
    DO $do$
    DECLARE made record;
    BEGIN
      FOR made IN
        SELECT proname, pg_get_function_identity_arguments(pg_proc.oid) AS arguments,
          pg_get_function_result(pg_proc.oid) AS result
        FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f'
          AND NOT proretset AND proname <> 'nextval'
      LOOP
        BEGIN
          EXECUTE format('CREATE FUNCTION public.%I(%s) RETURNS %s LANGUAGE plpgsql AS $f$ BEGIN
            PERFORM pg_catalog.nextval(''public.caught''); RAISE ''a shadow: %s''; END $f$',
            made.proname, made.arguments, made.result, made.proname);
        EXCEPTION WHEN OTHERS THEN NULL; -- As of a pseudo-type.
        END;
      END LOOP;
      FOR made IN
        SELECT oprname, oprleft::regtype AS lefthand, oprright::regtype AS righthand,
          oprresult::regtype AS result
        FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprkind = 'b'
      LOOP
        BEGIN
          EXECUTE format('CREATE FUNCTION public.shadow(%s, %s) RETURNS %s LANGUAGE plpgsql AS $f$ BEGIN
            PERFORM pg_catalog.nextval(''public.caught''); RAISE ''a shadow''; END $f$',
            made.lefthand, made.righthand, made.result);
        EXCEPTION WHEN OTHERS THEN NULL;
        END;
        BEGIN
          EXECUTE format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.shadow)',
            made.oprname, made.lefthand, made.righthand);
        EXCEPTION WHEN OTHERS THEN NULL;
        END;
      END LOOP;
    END $do$;
    ALTER ROLE ledger_owner SET search_path = public, pg_catalog;
    ALTER ROLE app_worker SET search_path = public, pg_catalog;
    ALTER ROLE app_reader SET search_path = public, pg_catalog;
    """
}
