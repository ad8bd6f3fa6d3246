// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "drafts",
  dependencies: [
    // Where the repository of worker is: a folder beside this one, or its address.
    .package(url: "../worker", from: "0.1.0")
  ],
  targets: [
    .target(name: "Drafts", dependencies: [.product(name: "JobKit", package: "worker")]),
    .executableTarget(
      name: "drafts-worker",
      dependencies: ["Drafts", .product(name: "WorkerProgram", package: "worker")]),
    .testTarget(
      name: "DraftsTests",
      dependencies: ["Drafts", .product(name: "JobKitTesting", package: "worker")]),
  ]
)
