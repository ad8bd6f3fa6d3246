import LocalTime
import Testing

/// New zone data under a running program.
struct ZoneReloadTests {
  private let old = [
    "tzdata.zi": "# version 2025b\nZ Asia/Seoul 9 - KST\nZ Asia/Tokyo 9 - JST\n",
    "Asia/Seoul": "Asia/Seoul", "Asia/Tokyo": "Asia/Tokyo",
  ]
  private let noon = Instant(secondsSince1970: 1_782_864_000)

  @Test func `nothing new is nothing`() throws {
    try withScratchZones(old) { folder in
      let zones = try ZoneDatabase(root: folder)
      _ = try zones.zone(named: "Asia/Seoul")

      #expect(try zones.reload() == nil)
    }
  }

  @Test func `a reload says which version came and which zones in use changed`() throws {
    try withScratchZones(old) { folder in
      let zones = try ZoneDatabase(root: folder)
      let before = try zones.zone(named: "Asia/Seoul")
      _ = try zones.zone(named: "Asia/Tokyo")

      try writeZone(
        "Z Asia/Seoul 8 - KST\nZ Asia/Tokyo 9 - JST\n# version 2026f\n", "tzdata.zi", folder)
      try writeZone("Asia/Shanghai", "Asia/Seoul", folder)
      let update = try #require(try zones.reload())

      #expect(update.description == "zone data 2025b -> 2026f: Asia/Seoul changed")
      #expect(zones.version == "2026f")
      #expect(before.offset(at: noon) == 32_400)
      #expect(try zones.zone(named: "Asia/Seoul").offset(at: noon) == 28_800)
      #expect(try zones.reload() == nil)
    }
  }

  @Test func `a new version that changes no zone in use says so`() throws {
    try withScratchZones(old) { folder in
      let zones = try ZoneDatabase(root: folder)

      try writeZone("# version 2026a\nZ Asia/Seoul 9 - KST\n", "tzdata.zi", folder)
      let update = try #require(try zones.reload())

      #expect(update.description == "zone data 2025b -> 2026a: no zone in use changed")
      #expect(zones.names == ["Asia/Seoul"])
    }
  }

  @Test func `in the middle of an upgrade the old zones stay`() throws {
    try withScratchZones(old) { folder in
      let zones = try ZoneDatabase(root: folder)
      _ = try zones.zone(named: "Asia/Seoul")

      try writeZone("TZif2", "Asia/Seoul", folder)
      let error = #expect(throws: ZoneError.self) { try zones.reload() }

      #expect(
        error?.description == "cannot use the file of zone 'Asia/Seoul' in '\(folder)':"
          + " it ends after 5 bytes where at least 44 are announced")
      #expect(try zones.zone(named: "Asia/Seoul").offset(at: noon) == 32_400)
    }
  }
}
