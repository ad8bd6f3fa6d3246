// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target here is compiled under.
let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// Whether somebody else's package depends on this one: SwiftPM refuses flags of a dependency's own.
let isDependency =
  Context.packageDirectory == "/" || Context.packageDirectory.contains("/checkouts/")

/// What everything runs on is optimized in every build: the tests turn years by hand, and what they judge is then
/// nearer to what ships.
let core: [SwiftSetting] =
  house + (isDependency ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))])

/// What waits for a person, a database or another program, which is most of the program: it is built to be small.
let front: [SwiftSetting] =
  house + (isDependency ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))])

/// The commit that is being built; "unknown" outside a checkout, with a "+" when the tree was changed.
let commit = Context.gitInformation.map {
  $0.currentCommit.prefix(12) + ($0.hasUncommittedChanges ? "+" : "")
}

let package = Package(
  name: "worker",
  products: [
    // What the author of a job writes against, and what it is tested with.
    .library(
      name: "JobKit", targets: ["Config", "JobKit", "LocalTime", "Migrations", "Postgres"]),
    .library(name: "JobKitTesting", targets: ["JobKitTesting"]),
    // A worker with jobs of one's own.
    .library(name: "WorkerProgram", targets: ["WorkerProgram"]),
    .executable(name: "worker", targets: ["worker"]),
  ],
  targets: [
    // Debian's C libraries; all but the first are loaded when they are needed.
    .target(name: "CToml"),
    .target(name: "CPostgres"),
    .target(name: "CCurl"),
    .target(name: "CMicrohttpd"),
    .target(name: "CNghttp2"),
    .target(name: "COpenSSL"),

    // What Swift cannot say: the commit, in a C file, so that a new one compiles one line again.
    .target(
      name: "CWorker", cSettings: [.define("BUILD_COMMIT", to: "\"\(commit ?? "unknown")\"")]),

    // The floors, lowest first. Nobody else says who sees whom: script/test builds with a check of each import.
    .target(name: "Postgres", dependencies: ["CPostgres"], swiftSettings: core),
    .target(name: "LocalTime", swiftSettings: core),
    .target(name: "Web", dependencies: ["CCurl"], swiftSettings: front),
    .target(name: "HTTP2", dependencies: ["CNghttp2", "COpenSSL"], swiftSettings: house),
    .target(name: "Config", dependencies: ["CToml", "LocalTime"], swiftSettings: core),
    .target(
      name: "Migrations", dependencies: ["LocalTime", "Postgres"], swiftSettings: core),
    .target(
      name: "JobKit", dependencies: ["Config", "LocalTime", "Migrations", "Postgres"],
      swiftSettings: core),
    .target(
      name: "Push", dependencies: ["COpenSSL", "HTTP2", "LocalTime", "Web"], swiftSettings: house),
    .target(
      name: "Jobs",
      dependencies: ["Config", "JobKit", "Migrations", "LocalTime", "Postgres", "Push", "Web"],
      resources: [.embedInCode("Schema/SQL"), .embedInCode("Push/Messages")], swiftSettings: house),
    .target(
      name: "SQLJobs", dependencies: ["Config", "JobKit", "LocalTime", "Migrations", "Postgres"],
      swiftSettings: front),
    .target(
      name: "CommandJobs",
      dependencies: ["CWorker", "Config", "JobKit", "LocalTime", "Postgres"], swiftSettings: front),
    .target(
      name: "Ledger", dependencies: ["Config", "JobKit", "LocalTime", "Migrations", "Postgres"],
      resources: [.embedInCode("SQL")], swiftSettings: core),
    .target(
      name: "Settings",
      dependencies: ["Config", "JobKit", "Ledger", "LocalTime", "Migrations", "Postgres", "Web"],
      swiftSettings: core),
    .target(
      name: "Runner",
      dependencies: [
        "Config", "JobKit", "Ledger", "LocalTime", "Migrations", "Postgres", "Settings",
      ],
      swiftSettings: core),
    .target(
      name: "SampleWorld",
      dependencies: ["JobKit", "LocalTime", "Postgres", "Runner"],
      resources: [.embedInCode("SQL")], swiftSettings: front),
    .target(
      name: "WorkerProgram",
      dependencies: [
        "CMicrohttpd", "CWorker", "CommandJobs", "Config", "SampleWorld", "HTTP2", "JobKit", "Jobs",
        "Ledger", "LocalTime", "Migrations", "Postgres", "Push", "Runner", "SQLJobs", "Settings",
        "Web",
      ],
      resources: [
        .embedInCode("Manual/worker.toml"), .embedInCode("Commands/Init/Templates"),
      ], swiftSettings: front),
    .executableTarget(name: "worker", dependencies: ["WorkerProgram"], swiftSettings: house),

    // Tests, and what only tests need.
    .target(
      name: "TestSupport", dependencies: ["Postgres"], path: "Tests/TestSupport",
      swiftSettings: house),
    // What the authors of jobs test them with.
    .target(
      name: "TestKit",
      dependencies: [
        "Config", "JobKit", "Ledger", "LocalTime", "Migrations", "Postgres", "Runner", "Settings",
        "TestSupport",
      ],
      path: "Tests/TestKit", swiftSettings: house),
    .target(
      name: "JobKitTesting", dependencies: ["TestKit"], path: "Tests/JobKitTesting",
      swiftSettings: house),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "Config", "JobKit", "Ledger", "Migrations", "Postgres", "Runner", "Settings", "TestKit",
        "TestSupport",
      ],
      swiftSettings: house),
    .testTarget(
      name: "PostgresTests", dependencies: ["Postgres", "TestSupport"], swiftSettings: house),
    .testTarget(
      name: "LocalTimeTests", dependencies: ["LocalTime"], swiftSettings: house),
    .testTarget(name: "ConfigTests", dependencies: ["Config"], swiftSettings: house),
    .testTarget(
      name: "JobKitTests",
      dependencies: [
        "Config", "JobKit", "Jobs", "Ledger", "LocalTime", "Migrations", "Runner", "Settings",
        "TestKit", "TestSupport", "Web", "fuzz",
      ],
      swiftSettings: house),
    .testTarget(
      name: "HTTP2Tests", dependencies: ["CNghttp2", "HTTP2", "TestSupport"], swiftSettings: house),
    .testTarget(
      name: "PushTests", dependencies: ["HTTP2", "LocalTime", "Push", "TestSupport", "Web"],
      swiftSettings: house),
    .testTarget(
      name: "JobsTests",
      dependencies: [
        "Config", "JobKit", "Jobs", "Ledger", "LocalTime", "Migrations", "Postgres", "Push",
        "Runner", "TestKit", "TestSupport",
      ],
      swiftSettings: house),
    .testTarget(
      name: "SQLJobsTests",
      dependencies: [
        "Config", "JobKit", "Ledger", "LocalTime", "Postgres", "Runner", "SQLJobs", "Settings",
        "TestKit", "TestSupport",
      ],
      swiftSettings: house),
    .testTarget(
      name: "CommandJobsTests",
      dependencies: [
        "CommandJobs", "Config", "JobKit", "Ledger", "LocalTime", "Postgres", "Runner", "Settings",
        "TestKit", "TestSupport",
      ],
      swiftSettings: house),
    .testTarget(
      name: "SampleWorldTests",
      dependencies: ["Jobs", "LocalTime", "Postgres", "SampleWorld", "TestKit"],
      swiftSettings: house),
    .testTarget(
      name: "WorkerTests",
      dependencies: [
        "Config", "JobKit", "Jobs", "Ledger", "LocalTime", "Migrations", "Postgres", "Runner",
        "Settings", "TestSupport", "WorkerProgram",
      ],
      swiftSettings: house),

    // Programs that only the scripts run: a fuzzer, a stopwatch, and a sender of many pushes.
    .executableTarget(
      name: "fuzz",
      dependencies: ["Config", "JobKit", "LocalTime", "Settings"],
      path: "Tests/Fuzz",
      swiftSettings: house),
    .executableTarget(
      name: "measure",
      dependencies: ["JobKit", "Ledger", "LocalTime", "Migrations", "Postgres", "Runner"],
      path: "Tests/Stopwatch",
      swiftSettings: house),
    .executableTarget(
      name: "pushes", dependencies: ["HTTP2"], path: "Tests/Pushes", swiftSettings: house),
  ],
  cxxLanguageStandard: .cxx17
)

// The sanitizers watch the one layer that hands memory to C and back: to build all else under them takes minutes.
if Context.environment["WORKER_SANITIZED"] != nil {
  let watched: Set = ["CPostgres", "Postgres", "TestSupport", "PostgresTests"]
  package.products = []
  package.targets.removeAll { !watched.contains($0.name) }
}
