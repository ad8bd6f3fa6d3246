public import Postgres

/// What has become of a message to people.
public enum MessageState: String, Sendable, PostgresValue {
  case due
  case sending
  case told
  case givenUp = "given_up"
}
