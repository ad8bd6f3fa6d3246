import Postgres
import TestSupport

/// A database with two accounts of 100 each, and notes that refer to them.
func accounts() throws -> TestDatabase {
  let database = try TestDatabase()
  try database.connect().run(
    script: """
      CREATE TABLE account (id bigint PRIMARY KEY, amount bigint NOT NULL);
      CREATE TABLE note (id bigint, account bigint,
        CONSTRAINT note_account FOREIGN KEY (account) REFERENCES account
          DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT small CHECK (id < 1000));
      INSERT INTO account VALUES (1, 100), (2, 100);
      """)
  return database
}
