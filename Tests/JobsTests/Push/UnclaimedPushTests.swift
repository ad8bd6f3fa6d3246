import Jobs
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Pushes that cannot be claimed")
struct UnclaimedPushTests {
  @Test func `what the database did not let be claimed does not leave, again and again`() throws {
    let (scene, postbox) = (try PushScene(), Postbox())
    try scene.addDue(1...3)
    try scene.stage.connection.run(
      script: """
        CREATE SEQUENCE swallowed;
        CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('swallowed') > 1 THEN RAISE EXCEPTION 'claimed again'; END IF;
          RETURN NULL;
        END $$;
        CREATE TRIGGER swallow BEFORE UPDATE ON learning.notifications
        FOR EACH ROW WHEN (old.user_id = 2) EXECUTE FUNCTION swallow();
        """)

    let job = DeliverPushes(through: postbox, saying: .builtIn)
    _ = try scene.stage.run(InParts(1, of: job))

    #expect(postbox.ids.isEmpty)
    #expect(try scene.states() == "planned 3")
    let error = try scene.stage.text("SELECT error FROM jobkit.part")
    #expect(error.contains("of 3 pushes that were locked 2 are where they were"), "\(error)")
  }
}
