import JobKit
import Migrations

extension Schema {
  /// The tables that the job writes itself, in a schema of its own.
  static let sessions = Schema(
    [Migration(1, "deletions", Array(deletions.utf8))], named: "sessions",
    rights: SchemaRights(
      in: "sessions",
      ofWorker: [("migration", ["SELECT"]), ("deletions", ["SELECT", "INSERT"])]))

  private static let deletions = """
    CREATE TABLE sessions.deletions (
      day      date PRIMARY KEY,
      sessions bigint NOT NULL CHECK (sessions >= 0)
    );
    COMMENT ON TABLE sessions.deletions IS 'How many sessions were deleted on which day.';
    """
}
