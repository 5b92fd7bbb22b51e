// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "CloudKitDao",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "CloudKitDao", targets: ["CloudKitDao"]),
        .library(name: "CloudKitDaoTestSupport", targets: ["CloudKitDaoTestSupport"]),
    ],
    targets: [
        // The vocabulary; no I/O.
        .target(name: "CloudRecords", swiftSettings: settings),
        // A class instance <-> a record.
        .target(name: "ObjectMapping", dependencies: ["CloudRecords"], swiftSettings: settings),
        // What the SQL stores share.
        .target(name: "SQLStore", dependencies: ["CloudRecords"], swiftSettings: settings),
        // The embedded store.
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .target(
            name: "SQLiteStore",
            dependencies: ["CloudRecords", "SQLStore", "CSQLite"],
            swiftSettings: settings
        ),
        // What apps import.
        .target(
            name: "CloudKitDao",
            dependencies: ["CloudRecords", "ObjectMapping", "SQLiteStore"],
            swiftSettings: settings
        ),
        // What tests of apps and of stores need; it imports Swift Testing.
        .target(name: "CloudKitDaoTestSupport", dependencies: ["CloudKitDao"], swiftSettings: settings),

        .executableTarget(
            name: "messages",
            dependencies: ["CloudKitDao"],
            path: "Examples/Messages",
            swiftSettings: settings
        ),

        .testTarget(name: "CloudRecordsTests", dependencies: ["CloudRecords"], swiftSettings: settings),
        .testTarget(name: "ObjectMappingTests", dependencies: ["ObjectMapping"], swiftSettings: settings),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: ["SQLiteStore", "SQLStore", "CSQLite", "CloudKitDaoTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CloudKitDaoTests",
            dependencies: ["CloudKitDao", "CloudKitDaoTestSupport", "CSQLite"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CloudKitDaoTestSupportTests",
            dependencies: ["CloudKitDaoTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ContractSnippetsTests",
            dependencies: ["CloudKitDao", "CloudKitDaoTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ContractSnippetsMainActorTests",
            dependencies: ["CloudKitDao", "CloudKitDaoTestSupport"],
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]
        ),
        // A process for the tests to kill and to compete with.
        .executableTarget(
            name: "StoreExerciser",
            dependencies: ["CloudKitDao"],
            path: "Tests/StoreExerciser",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ReliabilityTests",
            dependencies: ["CloudKitDao", "CloudKitDaoTestSupport", "SQLStore", "StoreExerciser", "CSQLite"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["CloudKitDao", "CSQLite"],
            path: "Tests/Benchmarks",
            exclude: ["costs.json"],
            swiftSettings: settings
        ),
    ]
)
