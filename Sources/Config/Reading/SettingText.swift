/// A text of the settings in which a fault has a place of its own.
package struct SettingText: Sendable {
  /// The setting that holds it, such as "jobs.close_carts.where".
  package let name: String
  package let text: String
  let file: String
  let position: SourcePosition
  let source: TomlText?
}

extension SettingText {
  /// A piece of the text in the place of the whole, where only the whole has a place.
  package func with(text piece: String) -> SettingText {
    SettingText(name: name, text: piece, file: file, position: position, source: nil)
  }

  /// What is wrong with the text as a whole; the sentence goes on from the setting's name.
  package func problem(_ reason: String) -> Problem {
    Problem(file: file, position: position, what: .forbidden(name: name, reason: reason))
  }

  /// What is wrong at the scalar number `offset` of the text; the sentence goes on from the setting's name.
  package func problem(at offset: Int, _ reason: String) -> Problem {
    Problem(
      file: file, position: source?.position(of: offset, inStringAt: position) ?? position,
      what: .forbidden(name: name, reason: reason))
  }
}
