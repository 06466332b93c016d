import Foundation
import HTTPTransport
import Testing

@testable import CurlTransport

@Suite("Responses between the loop and their reader")
struct ResponseChannelTests {
    private let channel = ResponseChannel(url: URL(fileURLWithPath: "/"))

    private func deliver(_ count: Int) throws {
        let bytes = [UInt8](repeating: 1, count: count)
        try bytes.withUnsafeBytes { try channel.deliver($0, expected: 0, bufferedBytes: 4) }
    }

    @Test("A cancellation replaces a head that was not read, and no failure that came before it")
    func cancellation() async throws {
        channel.deliver(HTTPResponseHead(status: 200, url: URL(fileURLWithPath: "/")))
        _ = channel.cancel()
        guard case .failure(let error) = await channel.head() else { throw CancellationError() }
        #expect(error.code == .cancelled)
        let other = ResponseChannel(url: URL(fileURLWithPath: "/"))
        other.end(.failure(HTTPTransportError(.connectionLost)))
        #expect(!other.cancel())
        guard case .failure(let first) = await other.head() else { throw CancellationError() }
        #expect(first.code == .connectionLost)
    }

    @Test("A body of exactly the limit is whole, and as many bytes as may be buffered pause the transfer")
    func limits() throws {
        try deliver(3)
        #expect(!channel.pauseIfFull(bufferedBytes: 4))
        try deliver(1)
        #expect(channel.pauseIfFull(bufferedBytes: 4))
        #expect(channel.startCollecting(upTo: 5).isWithinLimit)
        try deliver(1)
        #expect(throws: HTTPTransportError.self) { try deliver(1) }
    }
}

@Suite("Heads, line by line")
struct HeadReaderTests {
    /// Reads lines up to the end of the head; returns the reader with the fields, or the error's code.
    private func read(_ lines: String, _ limits: HTTPLimits = HTTPLimits()) throws -> (Int, HTTPHeaders) {
        var reader = HeadReader()
        for line in lines.split(separator: "|", omittingEmptySubsequences: false) {
            let bytes = Array((line + "\r\n").utf8)
            _ = try bytes.withUnsafeBytes { bytes throws(HTTPTransportError) in try reader.add(bytes, limits) }
        }
        return (reader.status, reader.take())
    }

    @Test(
        "Two lengths are the same number or an error, whatever white space is around them",
        arguments: [
            ("Content-Length: 5|content-length:5", true), ("Content-Length:\t5|Content-Length: 5 \t", true),
            ("Content-Length: 5|Content-Length: 05", false), ("Content-Length: 5|Content-Length: 6", false),
            ("Content-Length: 5|Content-Length-: 6", true), ("Content-Length: 5|Dontent-Length: 6", true),
            ("Content-Length: 5, 5", false), ("Content-Length: +5", false), ("Content-Length:", false),
            ("Content-Length: 999999999999999999", true), ("Content-Length: 1000000000000000000", false),
            ("Content-Length: 5| folded", true), ("A : 1", false), ("A\t: 1", false), (": 1", false), ("A", false),
            (" A: 1", false), ("A: b\u{0}", false), ("A:", true),
        ]
    )
    func lengths(fields: String, isValid: Bool) throws {
        if isValid {
            let (status, headers) = try read("HTTP/1.1 200 OK|\(fields)|")
            #expect(status == 200 && headers["A"] ?? "" == "")
        } else {
            let error = #expect(throws: HTTPTransportError.self) { try read("HTTP/1.1 200 OK|\(fields)|") }
            #expect(error?.code == .malformedResponse)
        }
    }

    @Test("An interim response leaves nothing behind, and the fields behind the final one are trailers")
    func interim() throws {
        let (status, headers) = try read(
            "HTTP/1.1 103 Early|Link: a|Content-Length: 1||HTTP/2 204 |B: 2|Content-Length: 0||C: 3|Content-Length: 9|"
        )
        #expect(status == 204 && headers["B"] == "2" && headers["Content-Length"] == "0")
        #expect(headers["Link"] == nil && headers["C"] == nil)
        #expect(try read("HTTP/1.1 101 Switching|A: 1||B: 2").1["B"] == nil)
        #expect(try read("HTTP/1.1|A: 1|").0 == 0)
    }

    @Test("The limits of bytes and fields are reached and not exceeded")
    func limits() throws {
        var limits = HTTPLimits()
        let head = "HTTP/1.1 200 OK|A: 1|B: 2|"
        limits.headerFields = 4
        limits.headerBytes = 17 + 6 + 6 + 2
        _ = try read(head, limits)
        limits.headerFields = 3
        #expect(throws: HTTPTransportError.self) { try read(head, limits) }
        limits.headerFields = 4
        limits.headerBytes -= 1
        #expect(throws: HTTPTransportError.self) { try read(head, limits) }
    }
}
