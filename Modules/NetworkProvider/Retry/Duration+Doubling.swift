extension Duration {
    /// The seconds of this duration doubled so many times, the growth of every backoff. 62 doublings of a nanosecond are
    /// 146 years: more would only overflow.
    func seconds(doubled times: Int) -> Double {
        self / .seconds(1) * Double(UInt64(1) << UInt64(min(max(times, 0), 62)))
    }
}
