/// The attributes along an axis, by reading direction.
struct AxisAttributes {
    let start: LayoutAttribute
    let end: LayoutAttribute
    let extent: LayoutAttribute
    let center: LayoutAttribute

    init(_ axis: LayoutAxis) {
        switch axis {
        case .horizontal: (start, end, extent, center) = (.leading, .trailing, .width, .centerX)
        case .vertical: (start, end, extent, center) = (.top, .bottom, .height, .centerY)
        }
    }
}

extension LayoutAxis {
    var other: LayoutAxis { self == .horizontal ? .vertical : .horizontal }
}
