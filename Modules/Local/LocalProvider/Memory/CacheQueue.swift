/// The order of eviction: a ring buffer of turns, each with the hash by which its entry is found. Consecutive turns
/// are adjacent in memory, wherever their entries are in the table.
///
/// An entry that is removed out of turn leaves a gap. When there are more gaps than turns, each removal closes a few,
/// so that none takes long.
@usableFromInline
struct CacheQueue {
    @usableFromInline
    struct Turn {
        @usableFromInline var hash: UInt32
        /// Whether the entry was removed.
        @usableFromInline var isGap = false
        /// The cost of the entry.
        @usableFromInline var cost: Int

        @inlinable
        init(hash: UInt32, cost: Int) {
            self.hash = hash
            self.cost = cost
        }
    }

    /// The number of elements is a power of two.
    @usableFromInline var turns: UnsafeMutablePointer<Turn>
    @usableFromInline var mask = 15
    /// The numbers of the first turn and of the next one to be appended.
    @usableFromInline var head = 0
    @usableFromInline var tail = 0
    /// While gaps are being closed, the turns from `packed` to `looked` are gaps.
    @usableFromInline var isClosing = false
    @usableFromInline var packed = 0
    @usableFromInline var looked = 0
    @usableFromInline var count = 0
    @usableFromInline var cost = 0

    @usableFromInline
    init() { turns = CacheMemory.allocate(Turn.self, 16) }

    func free() { turns.deallocate() }

    /// Returns a number in the form in which an entry stores it.
    @inlinable
    static func ticket(_ number: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: number & (CacheHead.tickets &- 1))
    }

    /// Returns the turn of a ticket.
    @inlinable
    func turn(_ ticket: UInt32) -> UnsafeMutablePointer<Turn> { turns + (Int(ticket) & mask) }

    /// Appends an entry.
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

    /// Returns the number of the first turn; there must be one.
    @inlinable
    @inline(__always)
    mutating func first() -> Int {
        while true {
            if isClosing, head == packed { (head, isClosing) = (looked, false) }
            if !turns[head & mask].isGap { return head }
            head &+= 1
        }
    }

    /// Removes the turn that ``first()`` has found.
    @inlinable
    @inline(__always)
    mutating func removeFirst() {
        count &-= 1
        cost &-= turns[head & mask].cost
        head &+= 1
    }

    /// Removes an entry.
    @inlinable
    mutating func remove(_ ticket: UInt32) {
        let turn = turn(ticket)
        turn.pointee.isGap = true
        count &-= 1
        cost &-= turn.pointee.cost
    }

    /// Whether gaps should be closed.
    @inlinable var isLoose: Bool { tail &- head > count &* 2 &+ 64 }

    /// Moves the next few turns over the gaps before them.
    ///
    /// - Parameter move: changes the ticket of the entry with a hash and a ticket.
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
