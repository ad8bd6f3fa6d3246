/// One setting of a table: its key, which of the table's values it sets, and of what kind it is.
///
/// Unless the file says otherwise, the value stays what it is in a table that has just been made.
package struct SettingField<Table> {
  package let read: (inout TableReader, inout Table) -> Void

  /// What is in force, by a name that goes on from where the table stands, such as "database.".
  package let list: (_ table: Table, _ place: String) -> [SettingLine]

  /// A setting of one kind, whatever else the table says.
  package init<Value>(
    _ key: String, _ path: WritableKeyPath<Table, Value>, as kind: SettingKind<Value>
  ) {
    self.init(key, path, written: kind.write) { $0.take($1, as: kind)?.value }
  }

  /// A setting that is read in a way of its own; nothing stands for what is absent or at fault.
  package init<Value>(
    _ key: String, _ path: WritableKeyPath<Table, Value>, written: @escaping (Value) -> String,
    reading: @escaping (inout TableReader, _ key: String) -> Value?
  ) {
    read = { reader, table in
      if let value = reading(&reader, key) { table[keyPath: path] = value }
    }
    list = { [SettingLine(name: $1 + key, value: written($0[keyPath: path]))] }
  }

  /// The settings of a table in this one.
  package init(_ key: String, _ path: WritableKeyPath<Table, some SettingsTable>) {
    read = { reader, table in reader.section(key) { table[keyPath: path].read(from: &$0) } }
    list = { $0[keyPath: path].lines(at: "\($1)\(key).") }
  }
}

/// What the settings say in one table.
package protocol SettingsTable {
  /// Its settings, in the order in which they are read and listed.
  static var fields: [SettingField<Self>] { get }

  /// Notes what no setting shows by itself.
  func check(_ reader: inout TableReader)
}

extension SettingsTable {
  package func check(_ reader: inout TableReader) {}

  /// Takes what the file sets; the rest stays as it is.
  ///
  /// Who reads a thousand tables of a kind makes its fields once.
  package mutating func read(
    _ fields: [SettingField<Self>] = Self.fields, from reader: inout TableReader
  ) {
    for field in fields { field.read(&reader, &self) }
    check(&reader)
  }

  /// Every setting of the table that is in force.
  package func lines(
    of fields: [SettingField<Self>] = Self.fields, at place: String = ""
  ) -> [SettingLine] {
    fields.flatMap { $0.list(self, place) }
  }
}
