import Foundation
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import TestSupport
import Testing
import TransportConformance

/// The limits of responses, set on targets and groups, against a server that sends more.
@Suite("Limits")
struct LimitsTests {
    private struct Pups: GroupedTarget {
        let group: RemoteGroup
        var path = "/bomb"
    }

    /// Sends 24 MiB of zeros packed into 25 KB, a body of 3 MiB, or a head of 100 fields.
    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            switch request.path {
            case "/bomb":
                ServedResponse(
                    headers: [("Content-Encoding", "gzip")],
                    body: .data((0..<24).reduce(into: Data()) { data, _ in data.append(Gzip.zeros) })
                )
            case "/fields": ServedResponse(headers: (0..<100).map { ("X-Field-\($0)", "value") })
            default: ServedResponse(body: .repeated(1, count: 3 << 20), framing: .chunked(size: 10_000))
            }
        }
    }

    /// The three ways in which a response is received.
    private enum Way: CaseIterable { case request, stream, download }

    /// Returns the failure of a target, in each way of receiving its response.
    private func failure(of target: some RemoteTargetType, _ way: Way) async throws -> NetworkError {
        let folder = try TemporaryDirectory()
        let provider = NetworkProvider()
        do {
            switch way {
            case .request: _ = try await provider.request(target)
            case .download: try await provider.download(target, to: folder.file("body").path)
            case .stream: for try await _ in try await provider.stream(target).body {}
            }
        } catch let error as NetworkError {
            return error
        } catch let error as HTTPTransportError {
            return NetworkError(.transport(error), target: "stream")
        }
        throw UnexpectedResult()
    }

    @Test("A target's limits apply to requests, streams and downloads, and the error names the limit")
    func bounds() async throws {
        let server = try server()
        defer { server.stop() }
        let base = server.baseURL
        typealias Bound = HTTPTransportError.BodyBound
        for way in Way.allCases {
            for (path, limits, bound, text) in [
                ("/bomb", HTTPLimits(), Bound.decompressionRatio, "more than 250 times its size"),
                (
                    "/bomb", HTTPLimits(decompressedBytes: 5 << 20, decompressionRatio: 2_000), .decompressedBytes,
                    "5242880"
                ),
                ("/", HTTPLimits(bodyBytes: 1 << 20), .bodyBytes, "1048576 bytes"),
            ] {
                let error = try await failure(of: Call<Data>(base: base, path: path, limits: limits), way)
                guard case .transport(let cause) = error.reason else { throw error }
                #expect(cause.code == .bodyTooLarge && cause.bound == bound, "\(way) \(path): \(error)")
                #expect(error.description.contains(text) && !error.description.contains("maximumBodyBytes"))
                #expect(error.description.contains("raise HTTPLimits.\(bound)"), "\(way) \(path): \(error)")
            }
            let many = try await failure(
                of: Call<Data>(base: base, path: "/fields", limits: HTTPLimits(headerFields: 50)),
                way
            )
            guard case .transport(let cause) = many.reason else { throw many }
            #expect(cause.code == .headersTooLarge)
        }
    }

    @Test("A body within the limits is complete, and the limit of memory has its own error")
    func allowed() async throws {
        let server = try server()
        defer { server.stop() }
        let open = HTTPLimits(headerFields: 200, decompressedBytes: 24 << 20, decompressionRatio: 2_000)
        for (path, count) in [("/bomb", 24 << 20), ("/", 3 << 20), ("/fields", 0)] {
            let target = Call<Data>(base: server.baseURL, path: path, limits: open)
            #expect(try await NetworkProvider().request(target).count == count)
        }
        for deduplicates in [false, true] {
            let error = await #expect(throws: NetworkError.self) {
                let target = Call<Data>(base: server.baseURL, path: "/bomb", limits: open, maximumBodyBytes: 1 << 20)
                return try await NetworkProvider(deduplicates: deduplicates).request(target)
            }
            guard case .bodyTooLarge(1_048_576) = error?.reason else { throw UnexpectedResult() }
            #expect(error?.description.contains("raise maximumBodyBytes") == true)
        }
    }

    @Test("A group's limits are its targets' limits")
    func groups() async throws {
        let server = try server()
        defer { server.stop() }
        let limits = HTTPLimits(decompressedBytes: 1 << 20)
        let group = RemoteGroup(server.baseURL, limits: limits, cachePolicy: .ignore)
        #expect(try Pups(group: group).asRequest().limits == limits && Pups(group: group).cachePolicy == .ignore)
        for way in Way.allCases {
            let error = try await failure(of: Pups(group: group), way)
            #expect(error.description.contains("raise HTTPLimits.decompressedBytes"), "\(way): \(error)")
        }
        let raised = RemoteGroup(server.baseURL, limits: HTTPLimits(decompressionRatio: 2_000))
        #expect(try await NetworkProvider().request(Pups(group: raised)).count == 24 << 20)
    }
}
