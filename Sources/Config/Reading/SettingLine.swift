/// One setting as an operator would write it.
public struct SettingLine: Sendable, Hashable {
  public let name: String
  public let value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
