/// What becomes of what was not synchronised when a ``SimulatedDisk`` loses its power. All of these happen to real disks:
/// a file system brings names and bytes to the disk in an order of its own, and bytes a sector at a time.
enum PowerLoss: CaseIterable {
    /// Neither names nor bytes got to the disk.
    case everything
    /// Names did, as they were at last, and bytes did not.
    case bytes
    /// Names did, files got their length, and behind the bytes that were synchronised there are zeros.
    case zeros
    /// Bytes did, and names did not.
    case names
    /// Of the names as many changes as chance has it, in their order; of the bytes any sectors.
    case chance
    /// Everything got there in time.
    case nothing
}
