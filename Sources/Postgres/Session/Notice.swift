/// Something that Postgres remarks without refusing anything: a WARNING, a NOTICE, an INFO.
public struct Notice: Sendable, Equatable {
  /// How grave it is, in English, such as `WARNING`.
  public let severity: String

  /// The five characters that name its kind.
  public let sqlState: String

  /// The remark in one line.
  public let message: String

  /// More about it.
  public let detail: String?

  /// What Postgres proposes to do.
  public let hint: String?
}
