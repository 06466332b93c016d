import Foundation
import HTTPTransport
import TestSupport
import Testing
import TransportConformance
import URLSessionTransport

@Suite("URLSessionTransport meets the requirements of every transport, except its documented limitations", .serialized)
struct URLSessionConformanceTests {
    /// The capabilities that fail occasionally, by a race inside FoundationNetworking that can end the process: their cases run
    /// in a separate process.
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
                .connectionMetrics, .repeatedHeaders, .strictHead, .unknownCodings, .bodyOnAnyMethod,
            ]
        #endif
    }()

    /// The errors of URLSession that report a missing capability, besides `unsupported`.
    private static let errors: [TransportCapability: Set<HTTPTransportError.Code>] = [
        .headerLimit: [.library], .strictHead: [.library], .decompressionLimit: [.badContentEncoding],
        .unknownCodings: [.badContentEncoding],
    ]

    /// The capabilities whose absence is reported by no error, and how it shows; the landing page describes each.
    private static let exceptions: [TransportCapability: String] = [
        .repeatedHeaders: "received: got [", .connectionMetrics: "reused: got [nil, nil]",
        .streamedUpload: #"coding: got nil, expected Optional("chunked")"#,
        .backPressure: "bytes were taken from the server",
        .truncatedCompression: "badContentEncoding], got status 200",
    ]

    @Test("Case", arguments: ConformanceCase.all.filter { $0.needs.isDisjoint(with: unsupported) })
    func holds(_ conformance: ConformanceCase) async throws {
        try await conformance.run { URLSessionTransport(connection: $0) }
    }

    @Test(
        "A documented limitation fails in time, with a typed error or as documented; once it works, it is removed from the list",
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

    @Test("The landing page describes each limitation")
    func landingPage() throws {
        let page = Project.root.appending(
            path: "Modules/Network/URLSessionTransport/URLSessionTransport.docc/URLSessionTransport.md"
        )
        let text = try String(contentsOf: page, encoding: .utf8)
        let names =
            URLSessionConformanceTests.unsupported.map(\.rawValue)
            + URLSessionTransport().unsupportedFeatures.map(\.rawValue)
        for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
    }

    #if os(Linux)
        @Test(
            "Cases that fail by a race, which may terminate the process, run in another process and never hang",
            arguments: ConformanceCase.all.filter { !$0.needs.isDisjoint(with: racing) }
        )
        func races(_ conformance: ConformanceCase) async throws {
            let program = ChildProcess.productsDirectory.appendingPathComponent("transport-probe")
            // These take seconds a round, and do not end the process.
            let isSlow = !conformance.needs.isDisjoint(with: [.parallelExchanges, .promptCancellation])
            let rounds = isSlow ? 2 : isLongRun ? 200 : 10
            // A backtrace is not needed, and takes very long under the address sanitizer. The leaks are URLSession's.
            let quiet: [String: String?] = ["SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0"]
            let result = try await ChildProcess.run(program, [conformance.name, "\(rounds)"], environment: quiet)
            let last = result.output.split(separator: "\n").last ?? ""
            print("\(conformance.name): \(result.wasSignalled ? "ended by signal \(result.status)" : String(last))")
            // The case held, failed with an error, or ended the process: any outcome of the race, but in time and reported.
            #expect(result.wasSignalled || result.status == 0, "\(result.status): \(result.output)")
            #expect(result.wasSignalled || last.hasPrefix("held "), "\(result.output)\(result.errors)")
        }

        @Test("Cancelling transfers while they end never terminates the process")
        func givesUpAtTheEnd() async throws {
            let name = "A body over the reader's limit fails, whether its length is declared or not"
            let program = ChildProcess.productsDirectory.appendingPathComponent("transport-probe")
            let result = try await ChildProcess.run(program, [name, "\(isLongRun ? 2_000 : 150)"])
            #expect(!result.wasSignalled && result.status == 0, "\(result.errors)")
            #expect(result.output.contains("held "), "\(result.output)")
        }
    #endif
}
