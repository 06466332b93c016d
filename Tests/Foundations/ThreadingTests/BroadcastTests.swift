import Testing
import Threading

@Suite("Broadcast", .timeLimit(.minutes(1)))
struct BroadcastTests {
    @Test("Each stream has a first element, then what is sent from then on, without the oldest above its limit")
    func sends() async {
        var broadcast: Broadcast<Int>? = Broadcast(unreadLimit: 3)
        let early = broadcast?.stream(first: 0)
        broadcast?.send(1, 2)
        let late = broadcast?.stream()
        broadcast?.send([3])
        // The streams end with the broadcast.
        broadcast = nil
        var received: [[Int]] = []
        for stream in [early, late].compactMap({ $0 }) {
            received.append(await stream.reduce(into: []) { $0.append($1) })
        }
        #expect(received == [[1, 2, 3], [3]])
    }

    @Test("A stream that is released is no longer in use, and the others receive what is sent")
    func removes() async {
        let broadcast = Broadcast<Int>(unreadLimit: 1)
        var streams = (0..<3).map { broadcast.stream(first: $0) }
        #expect(broadcast.hasListeners)
        streams.remove(at: 1)
        broadcast.send(7)
        for stream in streams {
            for await number in stream {
                #expect(number == 7)
                break
            }
        }
        streams = []
        #expect(!broadcast.hasListeners)
    }
}
