internal import ConstraintSolver

extension LayoutEngine {
    /// Tells that an item, with all below it, joined the tree.
    ///
    /// - Parameter item: the top of the subtree; its parent must be in the tree already, or the call does nothing.
    public func itemAdded(_ item: any LayoutItem) {
        guard record(of: item) == nil, let parent = item.layoutParent, let parentRecord = record(of: parent) else {
            return
        }
        add(item, parent: parentRecord)
        shouldRetry = true
        setNeedsLayout()
    }

    /// Tells that an item, with all below it, left the tree. Its constraints stay with it for when it returns.
    ///
    /// - Parameter item: the top of the subtree.
    public func itemRemoved(_ item: any LayoutItem) {
        guard let record = record(of: item), record !== rootRecord else { return }
        remove(record)
        setNeedsLayout()
    }

    func add(_ item: any LayoutItem, parent: ItemRecord?) {
        let node = item.layoutNode
        // An item that still belongs to another tree leaves that first.
        if let other = node.backend as? LayoutEngine, let former = other.record(of: node) {
            if former === other.rootRecord || other === self { return }
            other.remove(former)
            other.setNeedsLayout()
        }
        let place = freePlaces.popLast() ?? records.count
        let record = ItemRecord(
            item,
            parent: parent,
            place: place,
            left: solver.makeVariable(),
            top: solver.makeVariable(),
            width: solver.makeVariable(),
            height: solver.makeVariable()
        )
        if place == records.count { records.append(record) } else { records[place] = record }
        for (axis, variable) in [record.left, record.top, record.width, record.height].enumerated() {
            while owners.count <= Int(variable.index) { owners.append(-1) }
            owners[Int(variable.index)] = place << 2 + axis
        }
        if let parent { record.ticket = parent.children.append(record) }
        if parent == nil { rootRecord = record }
        node.item = item
        node.backend = self
        node.place = place
        node.releases = releases
        for error in node.refused.take() { refusals.tell(error) }
        dirty.append(record)
        needingIntrinsic.append(record)
        if node.isCollapsed {
            record.needsGeometry = true
            needingGeometry.append(record)
        }
        for constraint in node.constraints where constraint.isActive { constraintAdded(constraint) }
        for guide in node.guides { add(guide, parent: record) }
        for child in item.layoutChildren { add(child, parent: record) }
    }

    /// Takes a record and all below it out of the tree.
    func remove(_ record: ItemRecord) {
        record.parent?.children.remove(record.ticket)
        var subtree: [ItemRecord] = []
        var stack = [record]
        while let next = stack.popLast() {
            subtree.append(next)
            stack += next.children
        }
        for member in subtree { detach(member) }
        for member in subtree {
            for variable in [member.left, member.top, member.width, member.height] {
                try? solver.removeVariable(variable)
                owners[Int(variable.index)] = -1
            }
            records[member.place] = nil
            member.isGone = true
            freePlaces.append(member.place)
        }
        shouldRetry = true
    }

    /// Takes all that holds a record's variables out of the solver.
    private func detach(_ record: ItemRecord) {
        for constraint in record.constraints {
            if constraint.item === record {
                unlink(constraint)
                forget(constraint)
                continue
            }
            // Its owner may have left just before, in the same subtree, and taken it away for good.
            if case .removed = constraint.state { continue }
            withdraw(constraint)
            switch constraint.state {
            case .dropped, .refused: waiting.removeAll { $0 === constraint }
            case .waiting, .inForce, .resting, .removed: break
            }
            constraint.state = .waiting
            pending.append(constraint)
        }
        record.constraints.removeAll()
        leaveAll(of: record)
        if let node = record.node {
            // Constraints that never found their target are known only to the node.
            for constraint in node.constraints where constraint.backend === self {
                if constraint.place >= 0, let known = constraintRecords[constraint.place] { forget(known) }
            }
            if node.backend === self {
                node.backend = nil
                node.place = -1
                node.releases = nil
            }
        }
    }

    /// Takes out items that were released without a word.
    func sweepReleased() {
        guard releases.take() > 0 else { return }
        for record in records {
            guard let record, record !== rootRecord, record.node == nil else { continue }
            guard record.parent == nil || record.parent?.node != nil else { continue }
            remove(record)
        }
    }
}
