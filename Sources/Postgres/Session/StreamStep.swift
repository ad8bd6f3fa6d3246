/// What a stream does after a row.
public enum StreamStep: Sendable {
  case more
  case enough
}
