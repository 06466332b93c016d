// swift-tools-version: 6.2
import PackageDescription

// MARK: - Modules

/// The platforms whose default HTTP transport is URLSession; everywhere else it is libcurl.
let applePlatforms: [Platform] = [.macOS, .iOS, .macCatalyst, .tvOS, .watchOS, .visionOS]

/// The modules that clients use, each a library product of the same name.
let modules: [Target] = [
    .target(name: "And", path: "Modules/And"),
    .target(name: "CommandKit", dependencies: ["TextEscaping"], path: "Modules/CommandKit"),
    .target(
        name: "HTTPTransport",
        dependencies: ["SystemCalls", "Threading"],
        path: "Modules/HTTPTransport"
    ),
    // For Linux and macOS. The SDKs of iOS, tvOS, watchOS and visionOS do not contain libcurl: use URLSessionTransport there.
    // Tested on Linux; not yet run on macOS.
    .target(
        name: "CurlTransport",
        dependencies: ["HTTPTransport", "SystemCalls", "TextEscaping", "Threading", "CLibcurl"],
        path: "Modules/CurlTransport"
    ),
    // For all platforms. Its branches for Apple platforms have been type-checked against stand-ins of the SDK only.
    .target(
        name: "URLSessionTransport",
        dependencies: ["HTTPTransport", "Threading"],
        path: "Modules/URLSessionTransport"
    ),
    .target(
        name: "NetworkProvider",
        dependencies: [
            "HTTPTransport",
            "SystemCalls",
            "TextEscaping",
            "Threading",
            .target(name: "CurlTransport", condition: .when(platforms: [.linux])),
            .target(name: "URLSessionTransport", condition: .when(platforms: applePlatforms)),
        ],
        path: "Modules/NetworkProvider"
    ),
    .target(
        name: "HTTPCaching",
        dependencies: ["Checksums", "HTTPTransport", "NetworkProvider", "SystemCalls", "Threading"],
        path: "Modules/HTTPCaching"
    ),
    .target(
        name: "NetworkTesting",
        dependencies: ["HTTPTransport", "JSONValues", "NetworkProvider", "SystemCalls", "TextEscaping", "Threading"],
        path: "Modules/NetworkTesting"
    ),
    .target(
        name: "LocalProvider",
        dependencies: [
            "CFileOutline", "Checksums", "JSONValues", "SystemCalls", "TextEscaping", "Threading",
        ],
        path: "Modules/LocalProvider"
    ),
    .target(
        name: "LocalObservation",
        dependencies: ["LocalProvider", "Threading"],
        path: "Modules/LocalObservation"
    ),
    .target(
        name: "LocalSecrets",
        dependencies: ["LocalProvider", "CSodium", "SystemCalls", "TextEscaping"],
        path: "Modules/LocalSecrets"
    ),
    .target(name: "ConstraintSolver", path: "Modules/ConstraintSolver"),
    .target(name: "NeedleKit", dependencies: ["ConstraintSolver"], path: "Modules/NeedleKit"),
    .target(name: "RIBs", path: "Modules/RIBs"),
    .target(
        name: "TerminalUI",
        dependencies: [
            "NeedleKit", "And", "Pictures", "CTerminal", "SystemCalls", "TextEscaping", "Threading",
        ],
        path: "Modules/TerminalUI"
    ),
    // A terminal in memory and a driver for it, for tests alone.
    .target(
        name: "TerminalTesting",
        dependencies: ["Pictures", "TerminalUI", "Threading"],
        path: "Modules/TerminalTesting"
    ),
    .target(name: "Pictures", dependencies: ["CPictureCodecs", "TextEscaping"], path: "Modules/Pictures"),
]

/// The small foundations of the modules, and C libraries. None of them is a product.
let foundations: [Target] = [
    .target(name: "Checksums", dependencies: ["TextEscaping"], path: "Modules/Checksums"),
    .target(name: "JSONValues", dependencies: ["TextEscaping"], path: "Modules/JSONValues"),
    .target(name: "SystemCalls", path: "Modules/SystemCalls"),
    .target(name: "TextEscaping", path: "Modules/TextEscaping"),
    .target(name: "Threading", dependencies: ["SystemCalls"], path: "Modules/Threading"),
    .target(
        name: "CLibcurl",
        path: "Modules/CLibcurl",
        linkerSettings: [
            // libcurl is loaded at run time. The shared library of zlib itself: no -dev package is needed.
            .linkedLibrary(":libz.so.1", .when(platforms: [.linux])),
            .linkedLibrary("z", .when(platforms: [.macOS])),
        ]
    ),
    // Only LocalSecrets depends on it: a client of the other modules does not need libsodium.
    .systemLibrary(
        name: "CSodium",
        path: "Modules/CSodium",
        pkgConfig: "libsodium",
        providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]
    ),
    .target(name: "CFileOutline", path: "Modules/CFileOutline"),
    .target(name: "CTerminal", path: "Modules/CTerminal"),
    .target(
        name: "CPictureCodecs",
        path: "Modules/CPictureCodecs",
        linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png")]
    ),
]

// MARK: - Apps

/// A flavour of the todo app: a folder under Apps, a compilation condition, a line in Apps/Shared/Entry.swift.
func flavour(_ name: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["PictureCore", "TodoApp"],
        path: "Apps/\(name)",
        swiftSettings: [.define(name.uppercased())]
    )
}

/// A feature of the app: one family of RIBs, in a folder under Apps/Features.
func feature(_ name: String, _ more: Target.Dependency...) -> Target {
    .target(
        name: "\(name)Feature",
        dependencies: ["AppLanguage", "AppUI", "RIBs", "TerminalUI"] + more,
        path: "Apps/Features/\(name)Feature"
    )
}

let apps: [Target] = [
    .target(
        name: "TodoCore",
        dependencies: ["AppLanguage", "Checksums", "JSONValues", "LocalProvider", "SystemCalls", "TextEscaping"],
        path: "Apps/TodoCore"
    ),
    .target(
        name: "AccountCore",
        dependencies: [
            "AppLanguage", "Checksums", "HTTPTransport", "LocalProvider", "LocalSecrets", "NetworkProvider",
            "SystemCalls", "TextEscaping", "Threading",
        ],
        path: "Apps/AccountCore"
    ),
    .target(
        name: "PictureCore",
        dependencies: ["HTTPCaching", "LocalProvider", "NetworkProvider", "Pictures", "TextEscaping"],
        path: "Apps/PictureCore"
    ),
    .target(name: "AppLanguage", path: "Apps/AppLanguage"),
    .target(
        name: "AppUI",
        dependencies: ["AppLanguage", "NeedleKit", "TerminalUI", "TextEscaping"],
        path: "Apps/AppUI"
    ),
    feature("Launch", "AccountCore", "NeedleKit"),
    feature("Tutorial", "NeedleKit"),
    feature("Login", "AccountCore", "NeedleKit"),
    feature("SignUp", "AccountCore"),
    feature("Todo", "TodoCore", "And", "NeedleKit"),
    feature("Picture", "AccountCore", "PictureCore", "And", "LocalProvider", "NeedleKit", "Pictures", "TextEscaping"),
    feature("Profile", "AccountCore", "TodoCore", "LocalProvider"),
    .target(
        name: "TodoApp",
        dependencies: [
            "AccountCore", "AppLanguage", "AppUI", "PictureCore", "TodoCore", "LaunchFeature", "LoginFeature",
            "PictureFeature", "ProfileFeature", "SignUpFeature", "TodoFeature", "TutorialFeature", "And", "CommandKit",
            "LocalProvider", "NeedleKit", "NetworkProvider", "Pictures", "RIBs", "SystemCalls", "TerminalUI",
            "TextEscaping", "Threading",
        ],
        path: "Apps/TodoApp",
        exclude: ["Schema"]
    ),
    flavour("Dog"),
    flavour("Cat"),
]

// MARK: - Tools

let tools: [Target] = [
    .target(
        name: "DependencyGraph",
        dependencies: ["Checksums", "CommandKit", "JSONValues", "SystemCalls", "TextEscaping", "Threading"],
        path: "Scripts/DependencyGraph",
        exclude: ["Schemas"],
        // The page is in the program itself, so that an installed one needs no other file.
        resources: [.embedInCode("Page/Assets")]
    ),
    .executableTarget(
        name: "dependency-graph",
        dependencies: ["DependencyGraph", "SystemCalls"],
        path: "Scripts/DependencyGraphCommand"
    ),
    .target(
        name: "LayoutReplay",
        dependencies: ["CommandKit", "ConstraintSolver", "JSONValues", "SystemCalls", "TextEscaping"],
        path: "Scripts/LayoutReplay"
    ),
    .executableTarget(
        name: "layout-replay",
        dependencies: ["LayoutReplay", "SystemCalls"],
        path: "Scripts/LayoutReplayCommand"
    ),
    .target(
        name: "PictureAPIs",
        dependencies: ["LoopbackServer", "Pictures", "Threading"],
        path: "Scripts/PictureAPIs"
    ),
    .executableTarget(
        name: "backend",
        dependencies: [
            "AccountCore", "AppLanguage", "CommandKit", "LocalProvider", "LoopbackServer", "PictureAPIs", "Pictures",
            "SystemCalls", "TextEscaping", "Threading",
        ],
        path: "Scripts/BackendCommand"
    ),
    .target(name: "GalleryExamples", dependencies: ["NeedleKit", "Pictures", "TerminalUI"], path: "Scripts/Gallery"),
    .executableTarget(
        name: "gallery",
        dependencies: ["CommandKit", "GalleryExamples", "Pictures", "SystemCalls", "TerminalUI"],
        path: "Scripts/GalleryCommand"
    ),
    // A minimal client of NetworkProvider; the benchmarks measure its memory.
    .executableTarget(name: "network-probe", dependencies: ["NetworkProvider"], path: "Scripts/NetworkProbe"),
    // The same client over URLSession, measured in a separate process.
    .executableTarget(name: "session-probe", path: "Scripts/SessionProbe"),
    .executableTarget(
        name: "benchmarks",
        dependencies: [
            "And", "CommandKit", "SystemCalls", "TextEscaping",
            "ConstraintSolver", "HTTPTransport", "LocalProvider", "LoopbackServer", "NeedleKit",
            "NetworkProvider",
            "Pictures", "TerminalTesting", "TerminalUI", "TestSupport", "TodoCore",
        ],
        path: "Scripts/Benchmarks"
    ),
]

// MARK: - Tests

let support: [Target] = [
    .target(
        name: "LoopbackServer",
        dependencies: ["SystemCalls", "Threading"],
        path: "Tests/Support/LoopbackServer"
    ),
    .target(
        name: "TransportConformance",
        dependencies: ["HTTPTransport", "LoopbackServer", "Threading"],
        path: "Tests/Support/TransportConformance"
    ),
    .target(name: "TestSupport", path: "Tests/Support/TestSupport"),
    // Fakes of the app's services, for the tests of its features.
    .target(
        name: "AppTestSupport",
        dependencies: [
            "AccountCore", "AppLanguage", "LocalProvider", "NetworkProvider", "PictureCore", "Pictures", "RIBs",
            "TodoCore",
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
        dependencies: ["LocalProvider", "SystemCalls", "Threading", "TodoCore"],
        path: "Tests/Support/CrashWriter"
    ),
    // The process that the tests of resumed downloads kill.
    .executableTarget(
        name: "download-child",
        dependencies: ["NetworkProvider"],
        path: "Tests/Support/DownloadChild"
    ),
    // Runs conformance cases that can crash their process.
    .executableTarget(
        name: "transport-probe",
        dependencies: ["TransportConformance", "URLSessionTransport"],
        path: "Tests/Support/TransportProbe"
    ),
    // Replaces getaddrinfo by a function that does not return, to test cancellation of a name lookup in libcurl.
    .executableTarget(
        name: "lookup-probe",
        dependencies: ["CurlTransport", "HTTPTransport", "LoopbackServer", "Threading"],
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
        dependencies: ["TerminalUI", "NeedleKit", "Pictures"],
        path: "Tests/Support/TerminalProbe"
    ),
]

/// A module's test target, Tests/<name>Tests, with its dependencies besides the module.
func tests(_ name: String, _ more: Target.Dependency..., exclude: [String] = []) -> Target {
    tests(name, more, exclude: exclude)
}

func tests(_ name: String, _ more: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.target(name: name), "TestSupport"] + more,
        path: "Tests/\(name)Tests",
        exclude: exclude
    )
}

/// The test target of a feature of the apps.
func featureTests(_ name: String, _ more: Target.Dependency...) -> Target {
    tests(name, ["AppLanguage", "AppTestSupport", "RIBs"] + more)
}

let testTargets: [Target] = [
    tests("And"),
    tests("CommandKit"),
    tests("Checksums"),
    tests("JSONValues"),
    tests("SystemCalls"),
    tests("TextEscaping"),
    tests("Threading"),
    tests("HTTPTransport", "LoopbackServer"),
    tests(
        "CurlTransport",
        "HTTPTransport",
        "LoopbackServer",
        "SystemCalls",
        "Threading",
        "TransportConformance",
        "lookup-probe"
    ),
    tests("URLSessionTransport", "HTTPTransport", "LoopbackServer", "TransportConformance", "transport-probe"),
    tests(
        "NetworkProvider",
        "CurlTransport",
        "HTTPCaching",
        "HTTPTransport",
        "LoopbackServer",
        "NetworkTestSupport",
        "NetworkTesting",
        "SystemCalls",
        "Threading",
        "TransportConformance",
        "download-child"
    ),
    tests(
        "HTTPCaching",
        "HTTPTransport",
        "LocalProvider",
        "LoopbackServer",
        "NetworkProvider",
        "NetworkTestSupport",
        "NetworkTesting",
        "Threading",
        "cache-writer"
    ),
    tests(
        "NetworkTesting",
        "HTTPTransport",
        "LoopbackServer",
        "NetworkProvider",
        "NetworkTestSupport",
        "Threading"
    ),
    tests("LocalProvider", "LocalProviderTestSupport", "SystemCalls", "Threading", "crash-writer"),
    tests("LocalObservation", "LocalProvider", "Threading", "crash-writer"),
    tests("LocalSecrets", "LocalProvider", "LocalProviderTestSupport", "SystemCalls", "Threading", "crash-writer"),
    tests("ConstraintSolver", "LayoutReplay", exclude: ["Cases"]),
    tests("NeedleKit"),
    tests("RIBs"),
    tests("TerminalUI", "TerminalTesting", "NeedleKit", "Pictures", "TextEscaping", "terminal-probe"),
    tests("Pictures"),
    tests("TerminalTesting", "NeedleKit", "Pictures", "TerminalUI"),
    tests("GalleryExamples", "TerminalTesting", "TerminalUI", "gallery"),
    tests("TodoCore", "AppLanguage", "AppTestSupport", "LocalProvider", "Threading", "crash-writer"),
    tests(
        "AccountCore",
        "AppLanguage",
        "HTTPTransport",
        "LocalProvider",
        "LocalSecrets",
        "LoopbackServer",
        "NetworkProvider",
        "Threading",
        "backend",
        exclude: ["AuthorizationServer"]
    ),
    tests("PictureCore", "LocalProvider", "LoopbackServer", "NetworkProvider", "Pictures"),
    tests("AppLanguage"),
    tests("AppUI", "AppLanguage", "NeedleKit", "TerminalTesting", "TerminalUI"),
    featureTests("LaunchFeature", "AccountCore", "TerminalTesting", "TerminalUI"),
    featureTests("TutorialFeature", "AppUI", "TerminalTesting", "TerminalUI"),
    featureTests("LoginFeature", "AccountCore", "AppUI", "TerminalTesting", "TerminalUI"),
    featureTests("SignUpFeature", "AccountCore", "AppUI", "TerminalTesting", "TerminalUI"),
    featureTests("TodoFeature", "AppUI", "LocalProvider", "NeedleKit", "TerminalTesting", "TerminalUI", "TodoCore"),
    featureTests("PictureFeature", "AccountCore", "AppUI", "PictureCore", "Pictures", "TerminalTesting", "TerminalUI"),
    featureTests("ProfileFeature", "AccountCore", "AppUI", "LocalProvider", "TodoCore"),
    tests(
        "TodoApp",
        "CommandKit",
        "AccountCore",
        "AppLanguage",
        "AppTestSupport",
        "AppUI",
        "PictureCore",
        "LoginFeature",
        "PictureFeature",
        "ProfileFeature",
        "TodoCore",
        "TodoFeature",
        "TutorialFeature",
        "LocalProvider",
        "LocalSecrets",
        "LoopbackServer",
        "NetworkProvider",
        "PictureAPIs",
        "Pictures",
        "RIBs",
        "TerminalTesting",
        "TerminalUI",
        "Threading"
    ),
    tests("DependencyGraph", "dependency-graph", exclude: ["Mermaid", "Schemas"]),
    tests("LayoutReplay", "ConstraintSolver", "layout-replay"),
    tests("PictureAPIs", "LoopbackServer", "Pictures", "backend"),
    .testTarget(
        name: "AppsTests",
        dependencies: [
            "Dog", "Cat", "AccountCore", "LocalProvider", "LoopbackServer", "PictureAPIs", "Pictures",
            "TerminalTesting", "TerminalUI",
            "TestSupport",
        ],
        path: "Tests/AppsTests"
    ),
]

// MARK: - Package

let package = Package(
    name: "PawKit",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: (modules.map(\.name) + ["LoopbackServer"]).map { .library(name: $0, targets: [$0]) },
    targets: modules + foundations + apps + tools + support + testTargets,
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

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
