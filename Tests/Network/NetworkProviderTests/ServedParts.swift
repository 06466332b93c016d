import Foundation
import LoopbackServer

extension ServedRequest {
    /// The offset from which a part is requested: `bytes=OFFSET-`.
    var rangeStart: Int? { header("Range").flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } }
}

extension ServedResponse {
    /// Makes the response one with a part, whose range is written as in Content-Range: `0-4/10`.
    mutating func becomePart(_ range: String, _ bytes: Data) {
        status = 206
        headers.append(("Content-Range", "bytes \(range)"))
        body = .data(Data(bytes))
    }

    /// Makes the response one with the rest of a body.
    mutating func becomeRest(of whole: Data, from start: Int) {
        becomePart("\(start)-\(whole.count - 1)/\(whole.count)", whole[start...])
    }
}
