import NeedleKit
import TerminalTesting

@testable import TerminalUI

/// Starts an application and waits for its first frame.
@MainActor
func launch(
    _ root: ViewController,
    width: Int = 80,
    height: Int = 24,
    depth: ColorDepth = .trueColor,
    animations: Bool = false
) async -> TestApplication {
    let size = GridSize(width: width, height: height)
    let app = TestApplication(root: root, size: size, depth: depth, animations: animations)
    await app.settle()
    return app
}

/// Starts an application that shows views one below the other, and waits for its first frame.
@MainActor
func show(
    _ views: View...,
    width: Int = 80,
    height: Int = 24,
    depth: ColorDepth = .trueColor,
    animations: Bool = false
) async -> TestApplication {
    await launch(Stack(views), width: width, height: height, depth: depth, animations: animations)
}

/// Starts an application whose window is filled by a view, and waits for its first frame.
@MainActor
func fill(_ view: View, width: Int = 80, height: Int = 24, depth: ColorDepth = .trueColor) async -> TestApplication {
    await launch(ViewController(filledBy: view), width: width, height: height, depth: depth)
}

/// Creates a list of rows "row 0", "row 1" and so on, with its data source.
@MainActor
func rows(_ count: Int) -> (list: ListView, source: ListItems<NumberedRow>) {
    let list = ListView()
    let source = ListItems<NumberedRow>(list) { list, row in
        let cell = list.dequeue(TextCell.self)
        cell.text = "row \(row.id)"
        return cell
    }
    source.apply((0..<count).map(NumberedRow.init))
    return (list, source)
}

struct NumberedRow: Identifiable { let id: Int }
