/// Why constraints exclude each other: multiplied and summed they leave no variable, and a constant on the wrong side.
struct Certificate {
    struct Member {
        /// The constraint's number.
        var owner: Int32
        /// The multiplier of its marker.
        var multiplier: Double
    }

    var members: [Member]
}
