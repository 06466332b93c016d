import AppUI
import NeedleKit
import TerminalUI

/// The view of the list's screen: the field for new todos over the list, the details beside it or below it, a message, and the
/// field of the filter.
///
/// Where the rows are few, the todos come first: below eight rows the list has no frame, below six the field for new todos is
/// shown only while it has the focus. Where there is much room, the details are beside the list or below it.
@MainActor
final class TodoListScreen: View {
    /// Called when there is room for the details, or no longer.
    var onRoomChange: ((_ hasRoomForDetail: Bool) -> Void)?

    private let entryBar: EntryBar
    private let pane: Pane
    private let message: MessageLine
    private let find: TextField
    /// Whether the entry bar is above the list, or above what is around it.
    private var hasEntryBar = true
    /// The details beside the list; a subview.
    var detail: View? { didSet { place() } }
    /// The place of the details that the views are arranged for.
    private var detailPlace = DetailPlace.none

    /// Where the details are, if not over the list.
    private enum DetailPlace { case none, right, below }

    /// The widest details beside the list, which has the rest of a wide screen.
    private static let widestDetail = 60

    init(entryBar: EntryBar, pane: Pane, message: MessageLine, find: TextField) {
        (self.entryBar, self.pane, self.message, self.find) = (entryBar, pane, message, find)
        super.init()
        for child in [pane, entryBar, message, find] as [View] { addSubview(child) }
        entryBar.ndl.makeConstraints { make in make.top.horizontal.equalTo(self) }
        place()
        message.ndl.makeConstraints { make in
            make.horizontal.equalTo(self)
            make.bottom.equalTo(find.ndl.top)
        }
        find.layoutNode.collapsesWhenHidden = true
        find.ndl.makeConstraints { make in
            make.horizontal.equalTo(self)
            make.bottom.equalTo(self)
            make.height.equalTo(1)
        }
    }

    /// Removes the entry bar, for a place above what is around the list.
    func takeEntryBar() -> EntryBar {
        hasEntryBar = false
        entryBar.removeFromSuperview()
        place()
        return entryBar
    }

    /// Adapts the parts to the size of the view.
    func arrange() {
        let height = bounds.height + (hasEntryBar ? 0 : entryBar.bounds.height)
        let present: DetailPlace =
            bounds.width >= 100 && height >= 12 ? .right : height >= 36 && bounds.width >= 40 ? .below : .none
        if present != detailPlace {
            detailPlace = present
            if present != .none, detail != nil { place() }
            onRoomChange?(present != .none)
        }
        pane.isFramed = height >= 8 && bounds.width >= 24
        let entry = entryBar.field
        entry.isHidden = height < 6 && !entry.isFirstResponder && entry.text.isEmpty
    }

    /// Places the list and the details.
    private func place() {
        let detailPlace = detail == nil ? .none : detailPlace
        pane.ndl.remakeConstraints { make in
            if hasEntryBar { make.top.equalTo(entryBar.ndl.bottom) } else { make.top.equalTo(self) }
            make.left.equalTo(self)
            if detailPlace == .right, let detail {
                make.right.equalTo(detail.ndl.left).offset(1)
            } else {
                make.right.equalTo(self)
            }
            if detailPlace == .below {
                make.height.equalTo(self).multipliedBy(0.55)
            } else {
                make.bottom.equalTo(message.ndl.top)
            }
        }
        detail?.ndl.remakeConstraints { make in
            make.right.equalTo(self)
            make.bottom.equalTo(message.ndl.top)
            if detailPlace == .right {
                make.top.equalTo(pane)
                make.width.equalTo(self).multipliedBy(0.4).priority(700)
                make.width.lessThanOrEqualTo(Self.widestDetail)
            } else {
                make.top.equalTo(pane.ndl.bottom).offset(-1)
                make.left.equalTo(self)
            }
        }
    }
}
