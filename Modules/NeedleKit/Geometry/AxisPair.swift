/// A value for each axis: unlike a dictionary's, its order is the same in every process.
struct AxisPair<Value> {
    var horizontal: Value
    var vertical: Value

    subscript(axis: LayoutAxis) -> Value {
        _read { if axis == .horizontal { yield horizontal } else { yield vertical } }
        _modify { if axis == .horizontal { yield &horizontal } else { yield &vertical } }
    }
}
