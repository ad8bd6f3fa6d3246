package import Config

extension SettingKind<String> {
  /// A Postgres URL or conninfo without a password in it.
  package static var connection: Self {
    SettingKind(
      wanted: "a URL such as \"postgresql:///worker\", or words such as \"host=db dbname=worker\""
    ) { content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      switch ConnectionText(text).fault {
      case nil:
        if let objection = ConnectionText(text).objection { throw .forbidden(objection) }
        return text
      case .holdsPassword:
        throw .forbidden(
          "holds a password: put it in a file and name that in 'database.password_file'")
      case .unreadable: throw .forbidden("is no Postgres address: write \(Self.connection.wanted)")
      }
    }
  }
}
