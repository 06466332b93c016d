import And
import Testing

@Suite("Configuring values, and running a block for its effect")
struct ValueTests {
    struct Insets: And, Equatable {
        var left = 0
        var right = 0
    }

    /// A value that cannot be copied: it counts how often it is destroyed.
    struct Token: ~Copyable, And {
        final class Counter { var destroyed = 0 }
        var name: String
        let counter: Counter

        deinit { counter.destroyed += 1 }
    }

    enum Failure: Error { case refused }

    @Test("with changes a copy and not the value")
    func configuresACopy() {
        let insets = Insets(left: 1, right: 1)
        let wide = insets.with { $0.left = 4 }
        #expect(insets == Insets(left: 1, right: 1))
        #expect(wide == Insets(left: 4, right: 1))
    }

    @Test("with does not change a variable either")
    func leavesAVariable() {
        var insets = Insets(left: 1, right: 1)
        let wide = insets.with { $0.left = 4 }
        insets.right = 9
        #expect(insets == Insets(left: 1, right: 9))
        #expect(wide == Insets(left: 4, right: 1))
    }

    @Test("with throws the block's error with its type, and the value is unchanged")
    func throwsTyped() {
        let insets = Insets()
        do throws(Failure) {
            _ = try insets.with { (insets) throws(Failure) in
                insets.left = 7
                throw Failure.refused
            }
            Issue.record("The error was lost")
        } catch {
            #expect(error == .refused)
        }
        #expect(insets == Insets())
    }

    @Test("with works on the standard library's collections and strings")
    func configuresCollections() {
        #expect([1, 2].with { $0.append(3) } == [1, 2, 3])
        #expect(["a": 1].with { $0["b"] = 2 } == ["a": 1, "b": 2])
        #expect(Set([1]).with { $0.insert(2) } == [1, 2])
        #expect("cat".with { $0 += "s" } == "cats")
    }

    @Test("with moves a noncopyable value, which is destroyed once")
    func movesNoncopyable() {
        let counter = Token.Counter()
        do {
            let token = Token(name: "a", counter: counter).with { $0.name = "b" }
            #expect(counter.destroyed == 0)
            token.do { #expect($0.name == "b") }
        }
        #expect(counter.destroyed == 1)
    }

    @Test("with destroys a noncopyable value if its block throws")
    func destroysNoncopyableOnError() {
        let counter = Token.Counter()
        do {
            _ = try Token(name: "a", counter: counter).with { (_) throws(Failure) in throw Failure.refused }
            Issue.record("The error was lost")
        } catch {
            #expect(error == .refused)
        }
        #expect(counter.destroyed == 1)
    }

    @Test("The async forms of with and do may suspend")
    func suspends() async {
        let insets = await Insets().with {
            await Task.yield()
            $0.left = 2
        }
        #expect(insets.left == 2)
        var seen = 0
        await insets.do {
            await Task.yield()
            seen = $0.left
        }
        #expect(seen == 2)
    }

    @Test("do runs its block once, on values and on references, and throws its error with its type")
    func runsForItsEffect() {
        final class Box: And { var runs = 0 }
        let box = Box()
        box.do { $0.runs += 1 }
        #expect(box.runs == 1)
        do throws(Failure) {
            try Insets().do { (_) throws(Failure) in throw Failure.refused }
            Issue.record("The error was lost")
        } catch {
            #expect(error == .refused)
        }
    }
}
