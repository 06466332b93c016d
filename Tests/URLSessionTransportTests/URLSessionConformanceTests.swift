import Foundation
import HTTPTransport
import TestSupport
import Testing
import TransportConformance
import URLSessionTransport

@Suite("URLSession holds to what every transport promises, but for what it says it cannot", .serialized)
struct URLSessionConformanceTests {
    /// What fails now and then only, by a race inside FoundationNetworking, the whole process with it at times: run in a
    /// process of its own.
    private static let racing: Set<TransportCapability> = [
        .malformedResponses, .trailers, .excessBytes, .parallelExchanges, .promptCancellation,
    ]
    /// The capabilities that URLSession lacks on this platform; the landing page describes each.
    private static let unsupported: Set<TransportCapability> = {
        #if canImport(FoundationNetworking)
            Set(TransportCapability.allCases).subtracting([.truncatedBody, .brokenChunks])
        #else
            [
                .streamedUpload, .truncatedCompression, .decompressionLimit, .headerLimit, .bodyLimit,
                .connectionMetrics, .repeatedHeaders, .strictHead, .unknownCodings,
            ]
        #endif
    }()

    /// Errors of URLSession's own that tell of what it cannot do, beside `unsupported`.
    private static let errors: [TransportCapability: Set<HTTPTransportError.Code>] = [
        .headerLimit: [.library], .strictHead: [.library], .decompressionLimit: [.badContentEncoding],
        .unknownCodings: [.badContentEncoding],
    ]

    /// What is told by no error, and how it shows: the landing page says so of each.
    private static let exceptions: [TransportCapability: String] = [
        .repeatedHeaders: "received: got [",
        .connectionMetrics: "reused: got [nil, nil]",
        .streamedUpload: #"coding: got nil, expected Optional("chunked")"#,
        .backPressure: "bytes were taken from the server",
        .truncatedCompression: "badContentEncoding], got status 200",
    ]

    @Test("Case", arguments: ConformanceCase.all.filter { $0.needs.isDisjoint(with: unsupported) })
    func holds(_ conformance: ConformanceCase) async throws {
        try await conformance.run { URLSessionTransport(connection: $0) }
    }

    @Test(
        "What it says it cannot fails in time, by a typed error or as is written: once it works, it is taken off the list",
        arguments: ConformanceCase.all.filter {
            !$0.needs.isDisjoint(with: unsupported) && $0.needs.isDisjoint(with: racing)
        }
    )
    func cannot(_ conformance: ConformanceCase) async {
        let lacking = conformance.needs.intersection(URLSessionConformanceTests.unsupported)
        var failure: ConformanceFailure?
        var error: HTTPTransportError?
        do {
            try await conformance.run { URLSessionTransport(connection: $0) }
            Issue.record("it works: remove \(conformance.needs) from the list")
        } catch let caught as ConformanceFailure {
            (failure, error) = (caught, caught.error)
        } catch let caught {
            error = caught as? HTTPTransportError
        }
        #expect(failure?.isHang != true)
        #if os(Linux)
            if let error {
                let codes = lacking.reduce(into: Set<HTTPTransportError.Code>()) { codes, capability in
                    if let feature = capability.feature { codes.insert(.unsupported(feature)) }
                    codes.formUnion(URLSessionConformanceTests.errors[capability] ?? [])
                }
                #expect(codes.contains(error.code), "\(error)")
            } else {
                let words = lacking.compactMap { URLSessionConformanceTests.exceptions[$0] }
                #expect(words.contains { failure?.description.contains($0) == true }, "\(String(describing: failure))")
            }
        #endif
    }

    @Test("The landing page says of each thing that it cannot how that shows")
    func landingPage() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Modules/URLSessionTransport/URLSessionTransport.docc/URLSessionTransport.md"
        )
        let text = try String(contentsOf: page, encoding: .utf8)
        let names =
            URLSessionConformanceTests.unsupported.map(\.rawValue)
            + URLSessionTransport().unsupportedFeatures.map(\.rawValue)
        for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
    }

    #if os(Linux)
        @Test(
            "What fails by a race, perhaps the whole process with it, is seen in a process of its own, and never hangs",
            arguments: ConformanceCase.all.filter { !$0.needs.isDisjoint(with: racing) }
        )
        func races(_ conformance: ConformanceCase) async throws {
            let program = ChildProcess.productsDirectory.appendingPathComponent("transport-probe")
            // Seconds a round, and nothing that ends the process.
            let isSlow = !conformance.needs.isDisjoint(with: [.parallelExchanges, .promptCancellation])
            let rounds = isSlow ? 2 : isLongRun ? 200 : 10
            // Nobody reads where it ended, and to find out takes for ever under the address sanitizer; what it loses is
            // URLSession's.
            let quiet: [String: String?] = ["SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0"]
            let result = try await ChildProcess.run(program, [conformance.name, "\(rounds)"], environment: quiet)
            let last = result.output.split(separator: "\n").last ?? ""
            print("\(conformance.name): \(result.wasSignalled ? "ended by signal \(result.status)" : String(last))")
            // Held, failed with an error, or ended with the process: whatever the race gives, but in time and in the open.
            #expect(result.wasSignalled || result.status == 0, "\(result.status): \(result.output)")
            #expect(result.wasSignalled || last.hasPrefix("held "), "\(result.output)\(result.errors)")
        }

        @Test("A transfer that is given up while it ends, time and again, never ends the process")
        func givesUpAtTheEnd() async throws {
            let name = "A body over the reader's limit fails, whether its length is declared or not"
            let program = ChildProcess.productsDirectory.appendingPathComponent("transport-probe")
            let result = try await ChildProcess.run(program, [name, "\(isLongRun ? 2_000 : 150)"])
            #expect(!result.wasSignalled && result.status == 0, "\(result.errors)")
            #expect(result.output.contains("held "), "\(result.output)")
        }
    #endif
}
