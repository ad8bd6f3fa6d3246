import Testing

@testable import Config

@Suite struct SettingFieldTests {
  private struct Oven: SettingsTable, Equatable {
    var degrees = 180
    var cook: String? = "anna"
    var words: [String] = []

    static var fields: [SettingField<Self>] {
      [
        .init("degrees", \.degrees, as: .count(50...250, suchAs: 200)),
        .init("cook", \.cook, as: .role),
        .init("words", \.words, written: { $0.joined(separator: ", ") }) { reader, key in
          reader.take(key, as: .text("words"))?.value.split(separator: " ").map(String.init)
        },
      ]
    }

    func check(_ reader: inout TableReader) {
      if cook == nil { reader.forbid("cake", because: "needs a cook") }
    }
  }

  private struct Kitchen: SettingsTable, Equatable {
    var isOpen = false
    var oven = Oven()

    static var fields: [SettingField<Self>] {
      [.init("open", \.isOpen, as: .flag), .init("oven", \.oven)]
    }
  }

  private func read(_ text: String) -> (kitchen: Kitchen, reader: TableReader) {
    var reader = TableReader(TomlDocument(text).root, file: "kitchen.toml")
    var kitchen = Kitchen()
    kitchen.read(from: &reader)
    return (kitchen, reader)
  }

  private func listing(_ kitchen: Kitchen) -> [String] {
    kitchen.lines().map { "\($0.name)=\($0.value)" }
  }

  @Test func `what a file leaves out stays as it is in a new table, and is asked for and listed`() {
    let (kitchen, reader) = read("")

    #expect(kitchen == Kitchen())
    #expect(reader.asked.map(\.name) == ["open", "oven.degrees", "oven.cook", "oven.words"])
    #expect(
      listing(kitchen) == ["open=false", "oven.degrees=180", "oven.cook=anna", "oven.words="])
  }

  @Test func `what a file sets is read into its place and listed, none as nothing`() {
    let (kitchen, reader) = read(
      "open = true\n[oven]\ndegrees = 250\ncook = \"\"\nwords = \"hot top\"")

    #expect(reader.problems == [])
    #expect(kitchen.isOpen && kitchen.oven == Oven(degrees: 250, cook: nil, words: ["hot", "top"]))
    #expect(
      listing(kitchen) == ["open=true", "oven.degrees=250", "oven.cook=", "oven.words=hot, top"])
  }

  @Test func `a value at fault leaves the others, and the table is checked with what was read`() {
    let (kitchen, reader) = read("[oven]\ndegrees = 251\ncook = \"\"\ncake = 1")

    #expect(kitchen == Kitchen(oven: Oven(cook: nil)))
    #expect(
      (reader.problems + reader.strangers).map(\.description) == [
        "kitchen.toml:2:11: 'oven.degrees' is 251: write a whole number from 50 to 250, such as 200",
        "kitchen.toml:4:1: 'oven.cake' needs a cook",
      ])
  }
}
