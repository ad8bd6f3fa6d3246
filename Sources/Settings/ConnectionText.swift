package import Config
internal import Postgres

/// What the settings say about where the database is, before libpq reads it.
///
/// Only two things are asked here: whether it is an address at all, and whether a password stands
/// in it. The second errs on the side of yes, so that no password is ever taken for a host and
/// printed as one: a user name or path with `@` or `:` in it must be percent-encoded.
package struct ConnectionText {
  let text: String

  package init(_ text: String) {
    self.text = text
  }

  package enum Fault: Equatable {
    case holdsPassword
    case unreadable
  }

  package var fault: Fault? {
    if namesPassword || hasUserInfoWithPassword { return .holdsPassword }
    if let scheme { return ["postgresql", "postgres"].contains(scheme) ? nil : .unreadable }
    return text.contains("=") && !text.unicodeScalars.contains("\0") ? nil : .unreadable
  }

  /// Why libpq could never connect with it, as one goes on from a setting's name; nothing where there is no libpq
  /// here, which every connection says by itself.
  var objection: String? {
    guard Libpq.version != nil else { return nil }
    do throws(PostgresError) {
      return try Server(text).holdsPassword
        ? "holds a password: put it in a file and name that in 'database.password_file'" : nil
    } catch {
      return "is no address to connect to: \(error)"
    }
  }

  private var scheme: Substring? {
    text.firstRange(of: "://").map { text[..<$0.lowerBound] }
  }

  /// Whether a word or a parameter of the URL, percent-encoded or not, is a password.
  private var namesPassword: Bool {
    var rest = Substring(decoded.lowercased())
    while let found = rest.firstRange(of: "password") {
      rest = rest[found.upperBound...]
      if rest.drop(while: \.isWhitespace).hasPrefix("=") { return true }
    }
    return false
  }

  /// Whether `user:password@` stands in the URL.
  private var hasUserInfoWithPassword: Bool {
    guard let start = text.firstRange(of: "://")?.upperBound else { return false }
    // libpq looks for the end of a user's name behind a question mark, too, but not behind a slash.
    return ["?", "/"].contains { (end: Character) in
      let address = text[start...].prefix { $0 != end }
      return address.lastIndex(of: "@").map { address[..<$0].contains(":") } ?? false
    }
  }

  private var decoded: String {
    var bytes = [UInt8]()
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      let code = rest.prefix(2)
      if byte == UInt8(ascii: "%"), code.count == 2, let value = UInt8(Substring(code), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

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
