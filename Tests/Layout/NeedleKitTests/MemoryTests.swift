import Foundation
import TestSupport
import Testing

@testable import NeedleKit

/// The memory of an engine whose items are added, remade and removed again and again.
@Suite("Memory")
struct MemoryTests {
    enum Shape: String, CaseIterable, Sendable {
        case chain, grid
    }

    /// Items in a chain from top to bottom, or in a grid of ten columns.
    @MainActor
    final class Items {
        private let root = Box("root")
        private let engine: LayoutEngine
        private let shape: Shape
        private let count: Int
        private var generator = SeededGenerator(seed: 17)
        private var items: [Box] = []

        init(_ count: Int, _ shape: Shape) {
            self.count = count
            self.shape = shape
            engine = LayoutEngine(root: root)
            engine.setSize(width: 800, height: 600)
            _ = engine.layout()
        }

        /// Adds all items, remakes the constraints of each and removes all, in random order.
        func cycle() {
            items = (0..<count).map { Box("\($0)", content: IntrinsicSize(width: 4, height: Double(1 + $0 % 3))) }
            for index in (0..<count).shuffled(using: &generator) {
                root.add(items[index])
                engine.itemAdded(items[index])
                state(index, gap: 1)
            }
            #expect(engine.layout().count == count)
            for (pass, index) in (0..<count).shuffled(using: &generator).enumerated() {
                items[index].ndl.removeConstraints()
                state(index, gap: 2)
                if pass % max(1, count / 10) == 0 { _ = engine.layout() }
            }
            _ = engine.layout()
            #expect(engine.diagnostics.isEmpty)
            let last = items[count - 1].layoutNode.frame
            #expect(shape == .grid ? last.x > 0 : last.y > count)
            let order = (0..<count).shuffled(using: &generator)
            for (pass, index) in order.enumerated() {
                engine.itemRemoved(items[index])
                if pass % max(1, count / 10) == 0 { _ = engine.layout() }
            }
            root.removeAll()
            items = []
            _ = engine.layout()
        }

        private func state(_ index: Int, gap: Double) {
            let item = items[index]
            let (items, shape) = (items, shape)
            item.ndl.makeConstraints { make in
                switch shape {
                case .chain:
                    make.left.equalTo(3)
                    make.right.lessThanOrEqualToSuperview().offset(-3)
                    if index > 0 {
                        make.top.equalTo(items[index - 1].ndl.bottom).offset(gap)
                    } else {
                        make.top.equalToSuperview()
                    }
                case .grid:
                    if index % 10 > 0 {
                        make.left.equalTo(items[index - 1].ndl.right).offset(gap)
                        make.width.equalTo(items[index - 1]).priority(700)
                    } else {
                        make.left.equalToSuperview()
                    }
                    if index >= 10 {
                        make.top.equalTo(items[index - 10].ndl.bottom).offset(gap)
                    } else {
                        make.top.equalToSuperview()
                    }
                }
            }
        }
    }

    /// Runs cycles and compares the memory after the last with that after the first.
    @MainActor
    private static func run(_ shape: Shape, count: Int) throws {
        let items = Items(count, shape)
        let before = try #require(residentBytes())
        items.cycle()
        let first = try #require(residentBytes())
        var last = first
        for _ in 2...8 {
            items.cycle()
            last = try #require(residentBytes())
        }
        // The memory of the process before the first cycle is subtracted, so that a small leak is found, too.
        #expect(
            Double(last - before) <= 1.2 * Double(first - before),
            "\(before) bytes before the first cycle, \(first) after it, \(last) after the last"
        )
    }

    /// The memory of the process that is in use; `nil` where it cannot be read.
    private static func residentBytes() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
    }

    @MainActor
    @Test("An item has no more arrangements than it is part of, however often they are made anew")
    func arrangements() {
        let box = Box("box")
        let stage = Stage(width: 20, height: 10, box)
        let rest = stage.root.ndl.align([box, stage.root], .left)
        for _ in 0..<20 {
            let group = stage.root.ndl.stack([box])
            stage.layout()
            #expect(box.layoutNode.arrangements.count <= 2)
            group.remove()
        }
        withExtendedLifetime(rest) {}
    }

    /// The numbers of items. The address sanitizer keeps freed memory for a while, so that few items seem to leak.
    private static let counts = (isAddressSanitized ? [] : [isLongRun ? 400 : 150]) + (isLongRun ? [10_000] : [])

    // Each run has a separate process, so that the memory of other tests does not count.

    @Test(
        "Items added, remade and removed in random order leave the memory within 20 % of the first cycle",
        .enabled(if: residentBytes() != nil),
        arguments: Shape.allCases,
        counts
    )
    func cycles(_ shape: Shape, count: Int) async {
        await #expect(processExitsWith: .success) { [shape = shape.rawValue as String, count = count as Int] in
            try await MemoryTests.run(try #require(Shape(rawValue: shape)), count: count)
        }
    }
}
