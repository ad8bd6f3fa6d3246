/// One value of a statement in the form in which it is sent.
@usableFromInline
struct Parameter: Sendable {
  @usableFromInline let type: PostgresType

  /// The binary form, or nil for NULL.
  @usableFromInline let bytes: [UInt8]?

  /// Why the value cannot be sent, which is told when the statement runs.
  @usableFromInline let problem: ValueProblem?

  @inlinable
  init<Value: PostgresValue>(_ value: Value) {
    type = Value.postgresType
    var bytes = [UInt8]()
    do throws(ValueProblem) {
      if !value.isNull { try value.write(to: &bytes) }
      problem = nil
    } catch {
      problem = error
    }
    self.bytes = value.isNull ? nil : bytes
  }
}
