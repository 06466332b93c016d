// swift-tools-version: 6.2
//
// The targets stand in rooms, which are the folders of the project. To add a module:
//
//   1. Scripts/new-module NAME ROOM does all of it: Scripts/new-module Sockets Network
//   2. or by hand: the sources in Modules/ROOM/NAME, with a landing page in NAME.docc, and a target in the list of the room;
//   3. the tests in Tests/ROOM/NAMETests, and a line `tests("NAME")` in the same room of the tests;
//   4. what the module may import, in .dependency-rules.json;
//   5. a row in the table of modules in README.md.
import PackageDescription

/// The targets of a room: the sources of a target are in the folder of its name, unless it has a path.
func room(_ folder: String, _ targets: [Target]) -> [Target] {
    for target in targets where target.path == nil { target.path = "\(folder)/\(target.name)" }
    return targets
}

// MARK: - Modules

/// The platforms whose default HTTP transport is URLSession; everywhere else it is libcurl.
let applePlatforms: [Platform] = [.macOS, .iOS, .macCatalyst, .tvOS, .watchOS, .visionOS]

let network = room(
    "Modules/Network",
    [
        .target(
            name: "HTTPTransport",
            dependencies: ["EssentialFoundation", "SystemCalls", "TextEscaping", "Threading"]
        ),
        // For Linux and macOS. The SDKs of iOS, tvOS, watchOS and visionOS do not contain libcurl: use URLSessionTransport there.
        // Tested on Linux; not yet run on macOS.
        .target(
            name: "CurlTransport",
            dependencies: [
                "EssentialFoundation", "HTTPTransport", "SystemCalls", "TextEscaping", "Threading", "CLibcurl",
            ]
        ),
        // For all platforms. Its branches for Apple platforms have been type-checked against stand-ins of the SDK only.
        .target(name: "URLSessionTransport", dependencies: ["HTTPTransport", "Threading"]),
        .target(
            name: "NetworkProvider",
            dependencies: [
                "EssentialFoundation",
                "CivilDates",
                "HTTPTransport",
                "SystemCalls",
                "TextEscaping",
                "Threading",
                .target(name: "CurlTransport", condition: .when(platforms: [.linux])),
                .target(name: "URLSessionTransport", condition: .when(platforms: applePlatforms)),
            ]
        ),
        .target(
            name: "HTTPCaching",
            dependencies: [
                "EssentialFoundation", "Checksums", "HTTPTransport", "NetworkProvider", "SystemCalls", "Threading",
            ]
        ),
        .target(
            name: "NetworkTesting",
            dependencies: [
                "EssentialFoundation", "HTTPTransport", "JSONValues", "NetworkProvider", "SystemCalls", "TextEscaping",
                "Threading",
            ]
        ),
        // A server in the process, for tests of clients, and a library of the backend.
        .target(
            name: "LoopbackServer",
            dependencies: ["EssentialFoundation", "SystemCalls", "TextEscaping", "Threading"]
        ),
        .target(
            name: "CalDAV",
            dependencies: [
                "EssentialFoundation", "CExpat", "Checksums", "HTTPTransport", "NetworkProvider", "TextEscaping",
                "Threading",
            ]
        ),
    ]
)

let local = room(
    "Modules/Local",
    [
        .target(
            name: "LocalProvider",
            dependencies: [
                "EssentialFoundation", "CFileCalls", "Checksums", "CivilDates", "JSONValues", "SystemCalls",
                "TextEscaping", "Threading",
            ]
        ),
        .target(name: "LocalObservation", dependencies: ["LocalProvider", "Threading"]),
        .target(
            name: "LocalSecrets",
            dependencies: ["EssentialFoundation", "LocalProvider", "CSodium", "SystemCalls", "TextEscaping"]
        ),
    ]
)

let layout = room(
    "Modules/Layout",
    [
        .target(name: "ConstraintSolver"),
        .target(name: "NeedleKit", dependencies: ["ConstraintSolver"]),
    ]
)

let terminal = room(
    "Modules/Terminal",
    [
        .target(
            name: "TerminalUI",
            dependencies: [
                "EssentialFoundation", "NeedleKit", "And", "Pictures", "CTerminal", "CivilDates", "SystemCalls",
                "TextEscaping", "Threading",
            ]
        ),
        // A terminal in memory and a driver for it, for tests alone.
        .target(
            name: "TerminalTesting",
            dependencies: ["EssentialFoundation", "Pictures", "TerminalUI", "Threading"]
        ),
        .target(name: "Pictures", dependencies: ["CPictureCodecs", "SystemCalls", "TextEscaping"]),
        .target(name: "CommandKit", dependencies: ["TextEscaping"]),
    ]
)

/// The modules that clients use, each a library product of the same name.
let modules =
    room("Modules", [.target(name: "And"), .target(name: "RIBs", dependencies: ["SystemCalls"])]) + network + local
    + layout + terminal

/// The C functions and libraries that the modules call.
let cTargets: [Target] = [
    .target(
        name: "CLibcurl",
        path: "Modules/Network/CLibcurl",
        linkerSettings: [
            // libcurl is loaded at run time. The shared library of zlib itself: no -dev package is needed.
            .linkedLibrary(":libz.so.1", .when(platforms: [.linux])),
            .linkedLibrary("z", .when(platforms: [.macOS])),
        ]
    ),
    // Only CalDAV depends on it.
    .systemLibrary(
        name: "CExpat",
        path: "Modules/Network/CExpat",
        pkgConfig: "expat",
        providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]
    ),
    .target(name: "CFileCalls", path: "Modules/Local/CFileCalls"),
    // Only LocalSecrets depends on it: a client of the other modules does not need libsodium.
    .systemLibrary(
        name: "CSodium",
        path: "Modules/Local/CSodium",
        pkgConfig: "libsodium",
        providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]
    ),
    .target(name: "CTerminal", path: "Modules/Terminal/CTerminal"),
    .target(name: "CPictureCodecs", dependencies: ["CJPEG", "CPNG"], path: "Modules/Terminal/CPictureCodecs"),
    // Only CPictureCodecs depends on these two.
    .systemLibrary(
        name: "CJPEG",
        path: "Modules/Terminal/CJPEG",
        pkgConfig: "libjpeg",
        providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]
    ),
    .systemLibrary(
        name: "CPNG",
        path: "Modules/Terminal/CPNG",
        pkgConfig: "libpng",
        providers: [.apt(["libpng-dev"]), .brew(["libpng"])]
    ),
]

/// The small foundations of the modules. None of them is a product.
let foundations = room(
    "Modules/Foundations",
    [
        .target(name: "CChecksums"),
        .target(name: "Checksums", dependencies: ["CChecksums", "TextEscaping"]),
        .target(name: "CivilDates"),
        .target(name: "EssentialFoundation"),
        .target(name: "ICalendar", dependencies: ["CivilDates", "TextEscaping"]),
        .target(name: "JSONValues", dependencies: ["TextEscaping"]),
        .target(name: "SystemCalls"),
        .target(name: "TextEscaping"),
        .target(name: "Threading", dependencies: ["SystemCalls"]),
    ]
)

// MARK: - Apps

/// A flavour of the todo app: a folder under Apps with its API and its picture, and a flag that Apps/Shared/Entry.swift reads.
func flavour(_ name: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["PictureCore", "TodoApp"],
        // The picture that is shown without a network is in the program itself.
        resources: [.embedInCode("Picture.jpg")],
        swiftSettings: [.define(name.uppercased())]
    )
}

/// A feature of the app: one family of RIBs, in a folder under Apps/Features.
func feature(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .target(
        name: "\(name)Feature",
        dependencies: ["AppLanguage", "AppUI", "RIBs", "TerminalUI"] + more,
        path: "Apps/Features/\(name)Feature"
    )
}

let apps = room(
    "Apps",
    [
        .target(
            name: "TodoCore",
            dependencies: [
                "AppLanguage", "Checksums", "CivilDates", "EssentialFoundation", "ICalendar", "JSONValues",
                "LocalProvider", "SystemCalls", "TextEscaping", "Threading",
            ]
        ),
        .target(
            name: "TodoSync",
            dependencies: [
                "AppLanguage", "CalDAV", "Checksums", "EssentialFoundation", "ICalendar", "JSONValues", "LocalProvider",
                "LocalSecrets", "SystemCalls", "TextEscaping", "Threading", "TodoCore",
            ]
        ),
        .target(
            name: "AccountCore",
            dependencies: [
                "EssentialFoundation", "AppLanguage", "Checksums", "CivilDates", "HTTPTransport", "LocalProvider",
                "LocalSecrets", "NetworkProvider", "SystemCalls", "TextEscaping", "Threading",
            ]
        ),
        .target(
            name: "PictureCore",
            dependencies: [
                "EssentialFoundation", "HTTPCaching", "LocalProvider", "NetworkProvider", "Pictures", "TextEscaping",
            ]
        ),
        .target(name: "AppLanguage"),
        .target(name: "AppUI", dependencies: ["AppLanguage", "NeedleKit", "TerminalUI"]),
        feature("Launch", ["AccountCore", "NeedleKit"]),
        feature("Tutorial", ["NeedleKit"]),
        feature("Login", ["AccountCore", "NeedleKit"]),
        feature("SignUp", ["AccountCore"]),
        feature("Todo", ["EssentialFoundation", "TodoCore", "And", "NeedleKit"]),
        feature(
            "Picture",
            ["AccountCore", "PictureCore", "And", "LocalProvider", "NeedleKit", "Pictures", "TextEscaping"]
        ),
        feature("Profile", ["AccountCore", "TodoCore", "TodoSync", "LocalProvider"]),
        feature("Sync", ["EssentialFoundation", "TodoCore", "TodoSync"]),
        .target(
            name: "TodoApp",
            dependencies: [
                "EssentialFoundation", "AccountCore", "AppLanguage", "AppUI", "CalDAV", "PictureCore", "TodoCore",
                "TodoSync", "LaunchFeature", "LoginFeature", "PictureFeature", "ProfileFeature", "SignUpFeature",
                "SyncFeature", "TodoFeature", "TutorialFeature", "And", "CommandKit", "JSONValues", "LocalProvider",
                "NeedleKit", "NetworkProvider", "Pictures", "RIBs", "SystemCalls", "TerminalUI", "TextEscaping",
                "Threading",
            ],
            exclude: ["Schema"]
        ),
        flavour("Dog"),
        flavour("Cat"),
    ]
)

// MARK: - Scripts

let tools =
    room(
        "Scripts/DependencyGraph",
        [
            .target(
                name: "DependencyGraph",
                dependencies: [
                    "EssentialFoundation", "Checksums", "CommandKit", "JSONValues", "SystemCalls", "TextEscaping",
                    "Threading",
                ],
                exclude: ["Schemas"],
                // The page is in the program itself, so that an installed one needs no other file.
                resources: [.embedInCode("Page/Assets")]
            ),
            command("dependency-graph", in: "DependencyGraph", ["DependencyGraph", "SystemCalls"]),
        ]
    )
    + room(
        "Scripts/Benchmarks",
        [
            .executableTarget(
                name: "benchmarks",
                dependencies: [
                    "EssentialFoundation", "And", "CommandKit", "SystemCalls", "TextEscaping", "ConstraintSolver",
                    "HTTPTransport", "LocalProvider", "LoopbackServer", "NeedleKit", "NetworkProvider", "Pictures",
                    "TerminalTesting", "TerminalUI", "TestSupport", "TodoCore",
                ],
                path: "Scripts/Benchmarks/Benchmarks"
            ),
            // A minimal client of NetworkProvider; the benchmarks measure its memory.
            .executableTarget(
                name: "network-probe",
                dependencies: ["EssentialFoundation", "NetworkProvider"],
                path: "Scripts/Benchmarks/NetworkProbe"
            ),
            // The same client over URLSession, measured in a separate process.
            .executableTarget(name: "session-probe", path: "Scripts/Benchmarks/SessionProbe"),
        ]
    )
    + room(
        "Scripts/BackendServer",
        [
            .target(
                name: "PictureAPIs",
                dependencies: [
                    "EssentialFoundation", "Checksums", "LoopbackServer", "Pictures", "SystemCalls", "Threading",
                ]
            ),
            command(
                "backend",
                in: "BackendServer",
                [
                    "EssentialFoundation", "AccountCore", "AppLanguage", "CommandKit", "LocalProvider",
                    "LoopbackServer", "PictureAPIs", "Pictures", "SystemCalls", "TextEscaping", "Threading",
                ]
            ),
        ]
    )
    + room(
        "Scripts/ViewGallery",
        [
            .target(
                name: "GalleryExamples",
                dependencies: ["EssentialFoundation", "NeedleKit", "Pictures", "TerminalUI"]
            ),
            command(
                "gallery",
                in: "ViewGallery",
                ["EssentialFoundation", "CommandKit", "GalleryExamples", "Pictures", "SystemCalls", "TerminalUI"]
            ),
        ]
    )
    + room(
        "Scripts/LayoutReplay",
        [
            .target(
                name: "LayoutReplay",
                dependencies: ["CommandKit", "ConstraintSolver", "JSONValues", "SystemCalls", "TextEscaping"]
            ),
            command("layout-replay", in: "LayoutReplay", ["LayoutReplay", "SystemCalls"]),
        ]
    )

/// The program of a script, in the folder Command beside the library that it runs.
func command(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Scripts/\(folder)/Command")
}

// MARK: - Tests

let support: [Target] = [
    .target(
        name: "TransportConformance",
        dependencies: ["HTTPTransport", "LoopbackServer", "TestSupport", "Threading"],
        path: "Tests/Support/TransportConformance"
    ),
    .target(
        name: "TestSupport",
        dependencies: ["Checksums", "SystemCalls", "Threading"],
        path: "Tests/Support/TestSupport"
    ),
    // Fakes of the app's services, for the tests of its features.
    .target(
        name: "AppTestSupport",
        dependencies: [
            "AccountCore", "AppLanguage", "AppUI", "LocalProvider", "NetworkProvider", "PictureCore", "Pictures",
            "RIBs", "TestSupport", "TodoCore", "TodoSync",
        ],
        path: "Tests/Support/AppTestSupport"
    ),
    // File calls that fail on demand, for the tests of the stores.
    .target(
        name: "LocalProviderTestSupport",
        dependencies: ["LocalProvider", "SystemCalls", "Threading"],
        path: "Tests/Support/LocalProviderTestSupport"
    ),
    // The process that the tests of the stores kill during a write.
    .executableTarget(
        name: "crash-writer",
        dependencies: [
            "EssentialFoundation", "LocalProvider", "LocalProviderTestSupport", "SystemCalls", "Threading",
            "TodoCore",
        ],
        path: "Tests/Support/CrashWriter"
    ),
    // The process that the tests of resumed downloads kill.
    .executableTarget(
        name: "download-child",
        dependencies: ["EssentialFoundation", "NetworkProvider"],
        path: "Tests/Support/DownloadChild"
    ),
    // Runs conformance cases that can crash their process.
    .executableTarget(
        name: "transport-probe",
        dependencies: ["SystemCalls", "TransportConformance", "URLSessionTransport"],
        path: "Tests/Support/TransportProbe"
    ),
    // Replaces getaddrinfo by a function that does not return, to test cancellation of a name lookup in libcurl.
    .executableTarget(
        name: "lookup-probe",
        dependencies: ["CurlTransport", "HTTPTransport", "LoopbackServer", "SystemCalls", "Threading"],
        path: "Tests/Support/LookupProbe",
        linkerSettings: [
            .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=getaddrinfo"], .when(platforms: [.linux]))
        ]
    ),
    // The process that shares a cache folder with the tests and is killed during a write.
    .executableTarget(name: "cache-writer", dependencies: ["HTTPCaching"], path: "Tests/Support/CacheWriter"),
    // A target, a log and a clock for the tests of NetworkProvider, HTTPCaching and NetworkTesting.
    .target(
        name: "NetworkTestSupport",
        dependencies: ["HTTPTransport", "NetworkProvider", "NetworkTesting"],
        path: "Tests/Support/NetworkTestSupport"
    ),
    .executableTarget(
        name: "terminal-probe",
        dependencies: ["TerminalUI", "NeedleKit", "SystemCalls"],
        path: "Tests/Support/TerminalProbe"
    ),
]

/// A module's test target, with its dependencies besides the module.
func tests(_ name: String, _ more: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.target(name: name), "TestSupport"] + more,
        exclude: exclude
    )
}

/// The test target of a feature of the apps.
func featureTests(_ name: String, _ more: [Target.Dependency]) -> Target {
    tests(name, ["AppLanguage", "AppTestSupport", "RIBs", "TerminalTesting", "TerminalUI"] + more)
}

let testTargets =
    room("Tests", [tests("And"), tests("RIBs", ["TerminalTesting", "TerminalUI"])])
    + room(
        "Tests/Network",
        [
            tests("HTTPTransport"),
            tests("LoopbackServer", ["SystemCalls"]),
            tests(
                "CurlTransport",
                [
                    "HTTPTransport", "LoopbackServer", "SystemCalls", "Threading", "TransportConformance",
                    "lookup-probe",
                ]
            ),
            tests(
                "URLSessionTransport",
                ["HTTPTransport", "LoopbackServer", "TransportConformance", "transport-probe"]
            ),
            tests(
                "NetworkProvider",
                [
                    "CurlTransport", "HTTPCaching", "HTTPTransport", "LoopbackServer", "NetworkTestSupport",
                    "NetworkTesting", "SystemCalls", "Threading", "TransportConformance", "download-child",
                ]
            ),
            tests(
                "HTTPCaching",
                [
                    "HTTPTransport", "LocalProvider", "LoopbackServer", "NetworkProvider", "NetworkTestSupport",
                    "NetworkTesting", "SystemCalls", "Threading", "TransportConformance", "cache-writer",
                ]
            ),
            tests(
                "NetworkTesting",
                [
                    "HTTPTransport", "LoopbackServer", "NetworkProvider", "NetworkTestSupport", "Threading",
                    "TransportConformance",
                ]
            ),
            tests(
                "CalDAV",
                ["CurlTransport", "HTTPTransport", "LoopbackServer", "NetworkProvider", "Threading"],
                exclude: ["Servers"]
            ),
        ]
    )
    + room(
        "Tests/Local",
        [
            tests("LocalProvider", ["LocalProviderTestSupport", "SystemCalls", "Threading", "crash-writer"]),
            tests("LocalObservation", ["LocalProvider", "Threading", "crash-writer"]),
            tests("LocalSecrets", ["LocalProvider", "LocalProviderTestSupport", "Threading", "crash-writer"]),
        ]
    )
    + room(
        "Tests/Layout",
        [
            tests("ConstraintSolver", ["LayoutReplay"], exclude: ["Cases"]),
            tests("NeedleKit"),
        ]
    )
    + room(
        "Tests/Terminal",
        [
            tests(
                "TerminalUI",
                ["TerminalTesting", "NeedleKit", "Pictures", "SystemCalls", "TextEscaping", "terminal-probe"]
            ),
            tests("TerminalTesting", ["NeedleKit", "Pictures", "TerminalUI"]),
            tests("Pictures"),
            tests("CommandKit"),
        ]
    )
    + room(
        "Tests/Foundations",
        [
            tests("Checksums"),
            tests("CivilDates"),
            tests("ICalendar", ["Checksums", "CivilDates"], exclude: ["Peers"]),
            tests("JSONValues"),
            tests("SystemCalls"),
            tests("TextEscaping"),
            tests("Threading"),
        ]
    )
    + room(
        "Tests/Apps",
        [
            tests(
                "TodoCore",
                ["AppLanguage", "AppTestSupport", "LocalProvider", "Threading", "crash-writer"]
            ),
            tests(
                "TodoSync",
                [
                    "CalDAV", "Checksums", "CurlTransport", "HTTPTransport", "ICalendar", "LocalProvider",
                    "LocalProviderTestSupport", "LoopbackServer", "TextEscaping", "Threading", "TodoCore",
                ]
            ),
            tests(
                "AccountCore",
                [
                    "AppLanguage", "HTTPTransport", "LocalProvider", "LocalSecrets", "LoopbackServer",
                    "NetworkProvider", "Threading", "backend",
                ],
                exclude: ["AuthorizationServer"]
            ),
            tests("PictureCore", ["LocalProvider", "LoopbackServer", "NetworkProvider", "Pictures"]),
            tests("AppLanguage"),
            tests("AppUI", ["AppLanguage", "NeedleKit", "TerminalTesting", "TerminalUI"]),
            tests(
                "TodoApp",
                [
                    "CommandKit", "AccountCore", "AppLanguage", "AppTestSupport", "AppUI", "PictureCore",
                    "LoginFeature", "PictureFeature", "ProfileFeature", "TodoCore", "TodoFeature", "TodoSync",
                    "TutorialFeature", "LocalProvider", "LocalSecrets", "LoopbackServer", "NetworkProvider",
                    "PictureAPIs", "Pictures", "RIBs", "SystemCalls", "TerminalTesting", "TerminalUI", "Threading",
                ]
            ),
            .testTarget(
                name: "AppsTests",
                dependencies: [
                    "Dog", "Cat", "AccountCore", "LocalProvider", "LoopbackServer", "NeedleKit", "NetworkProvider",
                    "NetworkTesting", "PictureAPIs", "Pictures", "SystemCalls", "TerminalTesting", "TerminalUI",
                    "TestSupport", "TodoCore",
                ]
            ),
        ]
    )
    + room(
        "Tests/Apps/Features",
        [
            featureTests("LaunchFeature", ["AccountCore"]),
            featureTests("TutorialFeature", ["AppUI"]),
            featureTests("LoginFeature", ["AccountCore", "AppUI"]),
            featureTests("SignUpFeature", ["AccountCore", "AppUI"]),
            featureTests("TodoFeature", ["AppUI", "LocalProvider", "NeedleKit", "Threading", "TodoCore"]),
            featureTests("PictureFeature", ["AccountCore", "AppUI", "PictureCore", "Pictures"]),
            featureTests("ProfileFeature", ["AccountCore", "AppUI", "LocalProvider", "TodoCore", "TodoSync"]),
            featureTests("SyncFeature", ["AppUI", "CalDAV", "Threading", "TodoCore", "TodoSync"]),
        ]
    )
    + room(
        "Tests/Scripts",
        [
            tests(
                "DependencyGraph",
                ["JSONValues", "Threading", "dependency-graph"],
                exclude: ["Mermaid", "Schemas"]
            ),
            // The programs that the benchmarks compare with.
            .testTarget(name: "BenchmarksTests", dependencies: ["LoopbackServer", "TestSupport"]),
            tests("LayoutReplay", ["ConstraintSolver", "layout-replay"]),
            tests("PictureAPIs", ["LoopbackServer", "Pictures", "backend"]),
            tests("GalleryExamples", ["TerminalTesting", "TerminalUI", "gallery"]),
        ]
    )

// MARK: - Package

let package = Package(
    name: "PawKit",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: modules.map { .library(name: $0.name, targets: [$0.name]) },
    targets: modules + foundations + cTargets + apps + tools + support + testTargets,
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)

/// `PAWKIT_TARGETS=NeedleKitTests,RIBsTests` restricts the package to these targets and their dependencies, so that a
/// build of one module's tests compiles nothing else.
if let names = Context.environment["PAWKIT_TARGETS"], !names.isEmpty {
    var selected: Set<String> = [], waiting = names.split(separator: ",").map(String.init)
    while let name = waiting.popLast() {
        guard selected.insert(name).inserted else { continue }
        for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): waiting.append(name)
            default: break
            }
        }
    }
    package.targets.removeAll { !selected.contains($0.name) }
    package.products.removeAll { !selected.contains($0.name) }
}

/// `PAWKIT_WHOLE_TESTS=1` compiles each test target as a whole, and `PAWKIT_WHOLE_MODULES=1` each other one, in debug builds: the
/// first build takes three quarters of the processor time for tests and nine tenths for the others, and one after a change takes
/// longer. With threads, the compiler writes an object for each file, which the linker expects.
let whole = SwiftSetting.unsafeFlags(
    ["-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"],
    .when(configuration: .debug)
)
for target in package.targets where target.type != .system {
    let variable = target.type == .test ? "PAWKIT_WHOLE_TESTS" : "PAWKIT_WHOLE_MODULES"
    if Context.environment[variable] == "1" { target.swiftSettings = (target.swiftSettings ?? []) + [whole] }
}

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
