internal import Config
import JobKit

/// What keeps the texts of a locale from being used.
///
/// Names are paths as their author would say them: 'encourage.warm.title' is `title` in the table
/// `[encourage.warm]`.
enum MessageFault: Error, Equatable {
  case badLocale(String)
  case missingLocale(String)
  case missingTable(String)
  case missingText(name: String)
  case notText(name: String, found: String)
  case notTable(name: String, found: String)
  case emptyText(name: String)
  case unknown(name: String, nearest: String?)
  case unknownPlaceholder(name: String, placeholder: String, known: [String])
  case openBrace(name: String)
  case tooLong(table: String, bytes: Int, most: Int)
}

extension MessageFault: CustomStringConvertible {
  var description: String {
    switch self {
    case .badLocale(let name):
      "\(name.inQuotes) names no locale: call the file after its language, as in ko.toml or en-GB.toml"
    case .missingLocale(let locale):
      "there is no \(locale).toml: every learner has texts in ko or in en to fall back on, so write it"
    case .missingTable(let name): "there is no [\(name)]: write it, with a title and a body"
    case .missingText(let name): "there is no '\(name)': write one"
    case .notText(let name, let found): "'\(name)' is \(found): write text in quotes"
    case .notTable(let name, let found):
      "'\(name)' is \(found): write [\(name)] on a line of its own, and its title and body below"
    case .emptyText(let name): "'\(name)' is empty: a push needs something to say"
    case .unknown(let name, let nearest?):
      "unknown text \(name.inQuotes): did you mean '\(nearest)'?"
    case .unknown(let name, nil): "unknown text \(name.inQuotes): no push would ever show it"
    case .unknownPlaceholder(let name, let placeholder, let known):
      "'\(name)' speaks of \("{\(placeholder)}".inQuotes), which is not known then: write "
        + known.map { "{\($0)}" }.joined(separator: " or ") + ", or none"
    case .openBrace(let name):
      "'\(name)' has a brace without its other half: write a placeholder as in {name}"
    case .tooLong(let table, let bytes, let most):
      "[\(table)] would take up to \(bytes) bytes with the longest names, and \(most) fit into a push:"
        + " shorten its title or body"
    }
  }
}
