/// A window that is resized shifts the same one or two markers again and again, mostly without a pivot. The second time the
/// way is kept as a ray, and from then on a shift costs a multiplication for each row and each variable on it. Constants and
/// values are counted from where the ray began, so that no rounding adds up.
extension Tableau {
    /// Notes that dependencies or coefficients are others now, so that no ray holds any longer.
    @inline(__always)
    mutating func changeStructure() {
        epoch &+= 1
        if !rays.isEmpty { retireRays() }
    }

    /// Brings the values on the rays up to date and forgets the rays.
    @inline(never)
    mutating func retireRays() {
        evaluateRays()
        rays.removeAll()
        rayRows.removeAll()
        rayValues.removeAll()
        epoch &+= 1
    }

    /// Moves along a marker's ray, where there is one or one is worth making: at the second shift in the same state.
    ///
    /// - Parameters:
    ///   - markers: the symbols of the constraint whose right side changes.
    ///   - former: its right side before.
    ///   - constant: its right side from now on.
    ///   - mayFail: whether rows may become infeasible, which are then listed; otherwise nothing happens where one would.
    /// - Returns: whether the shift was done.
    mutating func slide(_ markers: Markers, from former: Double, to constant: Double, mayFail: Bool) -> Bool {
        var place = 0
        while place < rays.count, rays[place].marker != markers.marker { place &+= 1 }
        if place == rays.count {
            guard wasShifted(markers.marker), isFeasible(markers, by: constant - former),
                makeRay(markers.marker, origin: former)
            else { return false }
        }
        let travelled = markers.sign * (constant - rays[place].origin)
        let limit = feasibility
        let start = place == 0 ? 0 : rays[place &- 1].rowEnd
        let end = rays[place].rowEnd
        if !mayFail {
            for index in start..<end {
                let item = rayRows[index]
                guard item.bound != .none else { continue }
                let value = item.base + item.gain * travelled
                if value < -limit || item.bound == .both && value > limit { return false }
            }
        }
        infeasible.reserve(infeasible.count &+ end &- start)
        let rows = rows.base
        var item = rayRows.base + start
        let last = rayRows.base + end
        while item < last {
            let row = item.pointee.row
            let value = item.pointee.base + item.pointee.gain * travelled
            rows[Int(row)].constant = value
            if value < -limit {
                if item.pointee.bound != .none { infeasible.appendWithinCapacity(row) }
            } else if value > limit, item.pointee.bound == .both {
                infeasible.appendWithinCapacity(row)
            }
            item += 1
        }
        rays[place].travelled = travelled
        hasTravelled = true
        effort &+= 1
        return true
    }

    /// Brings the values of the variables on the rays up to date.
    mutating func evaluateRays() {
        guard hasTravelled else { return }
        hasTravelled = false
        changed.reserve(changed.count &+ rayValues.count)
        let symbols = symbols.base
        var item = rayValues.base
        for place in 0..<rays.count {
            let travelled = rays[place].travelled
            let last = rayValues.base + rays[place].valueEnd
            while item < last {
                let symbol = item.pointee.symbol
                let variable = symbols + Int(symbol)
                let value = item.pointee.base + item.pointee.gain * travelled
                item += 1
                if value == variable.pointee.value { continue }
                variable.pointee.value = value
                if variable.pointee.isReported { continue }
                variable.pointee.isReported = true
                changed.appendWithinCapacity(symbol)
            }
        }
    }

    /// Remembers that a marker was shifted in the present state.
    mutating func noteShift(_ marker: Int32) {
        for index in 0..<shifted.count where shifted[index].marker == marker {
            shifted[index].epoch = epoch
            return
        }
        if shifted.count == Tableau.mostRays {
            shifted[nextShifted] = ShiftNote(marker: marker, epoch: epoch)
            nextShifted = (nextShifted + 1) % Tableau.mostRays
        } else {
            shifted.append(ShiftNote(marker: marker, epoch: epoch))
        }
    }

    private func wasShifted(_ marker: Int32) -> Bool {
        for index in 0..<shifted.count where shifted[index].marker == marker { return shifted[index].epoch == epoch }
        return false
    }

    /// How many rays are kept at a time.
    static var mostRays: Int { 4 }
}
