import Foundation
import NeedleKit
import TestSupport
import Testing

/// The same calls result in the same frames, texts and pictures in every process, with any hash seed.
@MainActor
@Suite("Determinism")
struct DeterminismTests {
    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
        @Test("Frames, violations, ambiguities, description and picture do not depend on the process's hash seed")
        func processes() async throws {
            let expected = DeterminismTests.script()
            #expect(expected.split(separator: "\n").count > 400)
            for _ in 0..<10 {
                // Each process has a different hash seed.
                let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                    let text = await DeterminismTests.script()
                    FileHandle.standardOutput.write(Data("<<<\(text)>>>".utf8))
                }
                let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
                let start = try #require(output.range(of: "<<<")).upperBound
                let end = try #require(output.range(of: ">>>", options: .backwards)).lowerBound
                let (found, wanted) = (output[start..<end].split(separator: "\n"), expected.split(separator: "\n"))
                let differing = zip(found, wanted).first { $0 != $1 }
                guard differing == nil, found.count == wanted.count else {
                    Issue.record("\(found.count) lines for \(wanted.count); \(String(describing: differing))")
                    return
                }
            }
        }
    #endif

    /// Adds, removes, changes, hides and compresses items; returns everything that the engine reports.
    private static func script() -> String {
        var generator = SeededGenerator(seed: 61)
        let root = Box("root")
        let engine = LayoutEngine(root: root)
        engine.setSize(width: 60, height: 20)
        var boxes: [Box] = []
        var lines: [String] = []
        for round in 0..<60 {
            for _ in 0..<3 {
                switch Int.random(in: 0..<6, using: &generator) {
                case 0, 1:
                    let box = Box("box \(round)", content: IntrinsicSize(width: 30, height: 4))
                    let parent = boxes.randomElement(using: &generator) ?? root
                    parent.add(box)
                    engine.itemAdded(box)
                    let other = boxes.randomElement(using: &generator) ?? root
                    box.ndl.makeConstraints { make in
                        make.left.equalTo(other.ndl.left).offset(Int.random(in: 0...9, using: &generator))
                        make.right.lessThanOrEqualToSuperview().priority(999)
                        make.width.equalTo(other.ndl.width).priority(.medium)
                        make.width.equalTo(Int.random(in: 1...40, using: &generator)).priority(.medium)
                        make.top.equalTo(other.ndl.bottom).priority(.low)
                        make.height.greaterThanOrEqualTo(other).priority(.low)
                    }
                    box.layoutNode.collapsesWhenHidden = true
                    boxes.append(box)
                case 2:
                    guard let box = boxes.randomElement(using: &generator), let parent = box.parent else { continue }
                    parent.remove(box)
                    engine.itemRemoved(box)
                    boxes.removeAll { one in sequence(first: one, next: \.parent).contains { $0 === box } }
                case 3:
                    boxes.randomElement(using: &generator)?.layoutNode.isHidden.toggle()
                case 4:
                    guard let box = boxes.randomElement(using: &generator) else { continue }
                    box.content = IntrinsicSize(width: Double(Int.random(in: 0...50, using: &generator)), height: 3)
                    engine.invalidateIntrinsicSize(of: box)
                default:
                    engine.setSize(width: Double(Int.random(in: 10...60, using: &generator)), height: 20)
                }
            }
            lines += engine.layout().map { "\(round): \($0.item.layoutNode.name ?? "") \($0.frame)" }
            lines += engine.violations.map(\.description)
            lines += engine.ambiguities.map(\.description)
            lines += engine.diagnostics.map(\.description)
        }
        return (lines + [engine.description, engine.svg()]).joined(separator: "\n")
    }
}
