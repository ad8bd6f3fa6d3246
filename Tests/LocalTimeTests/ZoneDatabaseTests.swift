import Glibc
import LocalTime
import Testing

@testable import struct LocalTime.Folder

/// The folder of zones: names, versions, and what is refused.
struct ZoneDatabaseTests {
  @Test func `the configured folder comes first, then TZDIR, then the system's`() {
    func root(_ configured: String?, _ environment: [String: String]) -> String {
      ZoneDatabase.root(configured: configured, environment: environment)
    }

    #expect(root("/a", ["TZDIR": "/b"]) == "/a")
    #expect(root("", ["TZDIR": "/b"]) == "/b")
    #expect(root(nil, ["TZDIR": ""]) == "/usr/share/zoneinfo")
    #expect(root(nil, [:]) == "/usr/share/zoneinfo")
  }

  @Test func `the version and the names are those of the data`() throws {
    let zones = try Given.zones.get()

    #expect(zones.version == "2026f")
    #expect(zones.names.count == 598)
    #expect(zones.names.contains("America/New_York"))
  }

  @Test(arguments: [
    (["tzdata.zi": "# version 2030a\nZ UTC 0 - UTC\n"], "2030a"),
    (["tzdata.zi": "Z UTC 0 - UTC\n# version 2030b\n"], "2030b"),
    (["tzdata.zi": "# versions\nZ UTC 0 - UTC\n"], "unknown"),
    (["+VERSION": "2019c\n", "UTC": "Etc/UTC"], "2019c"),
    (["UTC": "Etc/UTC"], "unknown"),
  ])
  func `the version by itself is that of the whole folder`(
    files: [String: String], version: String
  ) throws {
    try withScratchZones(files) { folder in
      let zones = try ZoneDatabase(root: folder)
      let alone = try ZoneDatabase.version(ofRoot: folder)

      #expect(zones.version == version && alone == version)
    }
    #expect(throws: ZoneError.missingRoot("/nowhere")) {
      try ZoneDatabase.version(ofRoot: "/nowhere")
    }
  }

  @Test(arguments: [
    ("America/New_Yrok", "unknown zone 'America/New_Yrok': did you mean 'America/New_York'?"),
    ("america/new_york", "unknown zone 'america/new_york': did you mean 'America/New_York'?"),
    ("New York", "unknown zone 'New York': did you mean 'America/New_York'?"),
    ("Seoul", "unknown zone 'Seoul': did you mean 'Asia/Seoul'?"),
    ("", "unknown zone '': write a name such as 'America/New_York'"),
    (
      "../../etc/passwd", "unknown zone '../../etc/passwd': write a name such as 'America/New_York'"
    ),
    ("/etc/localtime", "unknown zone '/etc/localtime': write a name such as 'America/New_York'"),
    ("right/UTC", "unknown zone 'right/UTC': did you mean 'Etc/UTC'?"),
    ("tzdata.zi", "unknown zone 'tzdata.zi': write a name such as 'America/New_York'"),
    ("Australia", "unknown zone 'Australia': write a name such as 'America/New_York'"),
    ("PST", "unknown zone 'PST': write a name such as 'America/New_York'"),
    ("UTC+3", "unknown zone 'UTC+3': write a name such as 'America/New_York'"),
    ("UTC\0", "unknown zone 'UTC\0': did you mean 'UTC'?"),
  ])
  func `a name that is not in the list never becomes a path`(name: String, message: String) throws {
    let zones = try Given.zones.get()

    let error = #expect(throws: ZoneError.self) { try zones.zone(named: name) }

    #expect(error?.description == message)
  }

  @Test func `no folder and an empty folder are sentences`() throws {
    try withScratchZones([:]) { folder in
      let missing = #expect(throws: ZoneError.self) { try ZoneDatabase(root: "\(folder)/none") }
      let empty = #expect(throws: ZoneError.self) { try ZoneDatabase(root: folder) }

      #expect(
        missing?.description == "no zone data: there is no folder '\(folder)/none':"
          + " install the package tzdata or name the folder that has it")
      #expect(
        empty?.description == "no zone data: the folder '\(folder)' has no zone files:"
          + " install the package tzdata or name the folder that has them")
    }
  }

  @Test func `without a list the zone files themselves are the list`() throws {
    let files = [
      "Europe/Kiev": "Europe/Kyiv", "UTC": "Etc/UTC", "right/UTC": "Etc/UTC", "+VERSION": "2019c\n",
      "zone.tab": "# no zone\n",
    ]

    try withScratchZones(files) { folder in
      let zones = try ZoneDatabase(root: folder)

      #expect(zones.names == ["Europe/Kiev", "UTC"])
      #expect(zones.understoodNames.contains("Europe/Kyiv"))
      for name in zones.understoodNames { _ = try zones.zone(named: name) }
      #expect(zones.version == "2019c")
      #expect(try zones.zone(named: "Europe/Kyiv").name == "Europe/Kyiv")
    }
  }

  @Test(arguments: [
    ("US/Pacific-New", "America/Los_Angeles"), ("US/Eastern", "America/New_York"),
    ("Asia/Calcutta", "Asia/Kolkata"), ("Asia/Saigon", "Asia/Ho_Chi_Minh"),
    ("Asia/Katmandu", "Asia/Kathmandu"), ("Asia/Rangoon", "Asia/Yangon"),
    ("Europe/Kiev", "Europe/Kyiv"), ("America/Buenos_Aires", "America/Argentina/Buenos_Aires"),
    ("Atlantic/Faeroe", "Atlantic/Faroe"), ("Pacific/Truk", "Pacific/Port_Moresby"),
    ("GB", "Europe/London"), ("PRC", "Asia/Shanghai"), ("ROK", "Asia/Seoul"),
    ("Zulu", "Etc/UTC"), ("EST5EDT", "America/New_York"), ("UTC", "Etc/UTC"),
  ])
  func `legacy names are understood where the data has today's names only`(
    legacy: String, name: String
  ) throws {
    let bare = [
      "tzdata.zi": "# version 2030a\nZ \(name) 0 - X\n", name: name,
    ]

    try withScratchZones(bare) { folder in
      let zone = try ZoneDatabase(root: folder).zone(named: legacy)

      #expect(zone.name == legacy)
      #expect(try zone.offset(at: summer) == Given.zone(name).offset(at: summer))
    }
  }

  @Test func `a link whose file a package left out is its target`() throws {
    let files = [
      "tzdata.zi": "# version 2030a\nZ Asia/Seoul 9 - KST\nL Asia/Seoul ROK\n",
      "Asia/Seoul": "Asia/Seoul",
    ]

    try withScratchZones(files) { folder in
      let zones = try ZoneDatabase(root: folder)

      #expect(try zones.zone(named: "ROK").offset(at: summer) == 32_400)
      #expect(zones.names == ["Asia/Seoul", "ROK"])
    }
  }

  @Test func `a zone whose file is gone or damaged says which file and what to do`() throws {
    let files = [
      "tzdata.zi": "Z Asia/Seoul 9 - KST\nZ Asia/Tokyo 9 - JST\n", "Asia/Tokyo": "TZif2",
    ]

    try withScratchZones(files) { folder in
      let zones = try ZoneDatabase(root: folder)

      let gone = #expect(throws: ZoneError.self) { try zones.zone(named: "Asia/Seoul") }
      let damaged = #expect(throws: ZoneError.self) { try zones.zone(named: "Asia/Tokyo") }

      #expect(zones.version == "unknown")
      #expect(
        gone?.description == "cannot read zone 'Asia/Seoul' in '\(folder)':"
          + " No such file or directory: install the package tzdata again")
      #expect(
        damaged?.description == "cannot use the file of zone 'Asia/Tokyo' in '\(folder)':"
          + " it ends after 5 bytes where at least 44 are announced")
    }
  }

  private var summer: Instant { Instant(secondsSince1970: 1_782_864_000) }
}
