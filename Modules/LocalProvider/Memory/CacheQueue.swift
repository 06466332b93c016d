/// An order in which entries go: a ring of turns, each with the hash that its entry is found by. The next to go are side by
/// side in memory, whatever is around them in the table.
///
/// Who leaves out of turn leaves a gap. Where there come to be more gaps than turns, a few are closed with each, so that
/// nobody has to wait for all.
@usableFromInline
struct CacheQueue {
    @usableFromInline
    struct Turn {
        @usableFromInline var hash: UInt32
        /// Whether it is a gap.
        @usableFromInline var isGap = false
        /// What the entry counts against the limit.
        @usableFromInline var cost: Int

        @inlinable
        init(hash: UInt32, cost: Int) {
            self.hash = hash
            self.cost = cost
        }
    }

    /// As many as a power of two.
    @usableFromInline var turns: UnsafeMutablePointer<Turn>
    @usableFromInline var mask = 15
    /// The number of the next to go, and that of the next to come.
    @usableFromInline var head = 0
    @usableFromInline var tail = 0
    /// While gaps are being closed: those numbered from `packed` on are all gaps, up to `looked`.
    @usableFromInline var isClosing = false
    @usableFromInline var packed = 0
    @usableFromInline var looked = 0
    @usableFromInline var count = 0
    @usableFromInline var cost = 0

    @usableFromInline
    init() {
        turns = CacheMemory.allocate(Turn.self, 16)
    }

    func free() { turns.deallocate() }

    /// A number as an entry keeps it.
    @inlinable
    static func ticket(_ number: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: number & (CacheHead.tickets &- 1))
    }

    /// The turn of a ticket.
    @inlinable
    func turn(_ ticket: UInt32) -> UnsafeMutablePointer<Turn> {
        turns + (Int(ticket) & mask)
    }

    /// Puts an entry last.
    ///
    /// - Returns: its ticket.
    @inlinable
    @inline(__always)
    mutating func append(_ hash: UInt32, cost: Int) -> UInt32 {
        if tail &- head > mask { grow() }
        let number = tail
        (turns + (number & mask)).initialize(to: Turn(hash: hash, cost: cost))
        tail = number &+ 1
        count &+= 1
        self.cost &+= cost
        return Self.ticket(number)
    }

    /// The number of the next to go; there must be one.
    @inlinable
    @inline(__always)
    mutating func first() -> Int {
        while true {
            if isClosing, head == packed { (head, isClosing) = (looked, false) }
            if !turns[head & mask].isGap { return head }
            head &+= 1
        }
    }

    /// Takes the next to go out, which ``first()`` has found.
    @inlinable
    @inline(__always)
    mutating func removeFirst() {
        count &-= 1
        cost &-= turns[head & mask].cost
        head &+= 1
    }

    /// Takes an entry out.
    @inlinable
    mutating func remove(_ ticket: UInt32) {
        let turn = turn(ticket)
        turn.pointee.isGap = true
        count &-= 1
        cost &-= turn.pointee.cost
    }

    /// Whether gaps are to be closed.
    @inlinable var isLoose: Bool { tail &- head > count &* 2 &+ 64 }

    /// Looks at the next few turns and moves them up to those before them.
    ///
    /// - Parameter move: tells the entry with a hash and a ticket of its new ticket.
    @inlinable
    mutating func close(_ move: (_ hash: UInt32, _ ticket: UInt32, _ fresh: UInt32) -> Void) {
        if !isClosing { (isClosing, packed, looked) = (true, head, head) }
        for _ in 0..<4 {
            guard looked < tail else {
                (tail, isClosing) = (packed, false)
                return
            }
            let turn = turns[looked & mask]
            if !turn.isGap {
                if packed < looked {
                    turns[packed & mask] = turn
                    turns[looked & mask].isGap = true
                    move(turn.hash, Self.ticket(looked), Self.ticket(packed))
                }
                packed &+= 1
            }
            looked &+= 1
        }
    }

    @usableFromInline
    mutating func grow() {
        let larger = CacheMemory.allocate(Turn.self, (mask + 1) * 2)
        for number in head..<tail {
            (larger + (number & (mask * 2 + 1))).initialize(to: turns[number & mask])
        }
        turns.deallocate()
        (turns, mask) = (larger, mask * 2 + 1)
    }
}
