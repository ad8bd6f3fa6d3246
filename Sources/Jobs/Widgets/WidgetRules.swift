/// The numbers by which widgets are made.
public struct WidgetRules: Sendable, Equatable {
  /// How many sentences a day has.
  public var sentences = 12

  public init() {}
}
