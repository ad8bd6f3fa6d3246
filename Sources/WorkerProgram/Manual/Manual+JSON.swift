internal import Config
internal import JobKit

extension Manual {
  /// The page for programs: its blocks one after the other, each with what kind it is.
  var json: JSON {
    [
      "name": .string(name), "section": .integer(section), "summary": .string(summary),
      "blocks": .array(blocks.map(Self.json)),
    ]
  }

  private static func json(of block: Block) -> JSON {
    switch block {
    case .heading(let text): ["heading": .string(text)]
    case .subheading(let text): ["subheading": .string(text)]
    case .paragraph(let text): ["paragraph": .string(text)]
    case .lines(let lines): ["lines": .array(lines.map { .string($0) })]
    case .term(let heads, let text):
      ["written": .array(heads.map { .string($0) }), "meaning": .string(text)]
    }
  }
}
