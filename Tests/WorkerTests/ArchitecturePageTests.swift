import TestSupport
import Testing

/// The page that leads a reader from `main` to SQL.
@Suite("Architecture page")
struct ArchitecturePageTests {
  @Test func `every file that the walks name is there`() throws {
    let page = try TextFile.read("docs/architecture.md")
    let files = page.matches(of: /`(Sources\/[\w\/+]+\.swift)`/).map { String($0.output.1) }

    #expect(files.count > 25)
    for file in files {
      #expect((try? TextFile.read(file))?.isEmpty == false, "\(file) is not there")
    }
  }
}
