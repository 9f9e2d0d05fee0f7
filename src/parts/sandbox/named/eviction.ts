/** The facts that decide whether a sandbox is evicted. */
export type Usage = {
  /** The network of the client that created it. */
  owner: string
  /** Requests whose response is not complete. */
  requests: number
  /** When it was last used, by a monotonic clock. */
  usedAt: number
}

type Need<O> = {
  /** The owner that needs space, and how much its share grows. */
  owner: string
  adds: number
  /** What a sandbox adds to the share of its owner. */
  sizeOf(occupant: O): number
  /** Whether a sandbox has been idle long enough to be evicted for any owner. */
  isIdle(occupant: O): boolean
}

/**
 * Chooses the least recently used sandbox of the owner with the largest share; undefined when none may be evicted. A sandbox in
 * use is evicted only for an owner whose share stays smaller, so that no owner can take more than it could keep.
 */
export function chooseEvicted<O extends Usage>(occupants: readonly O[], need: Need<O>): O | undefined {
  const shares = new Map<string, number>()
  for (const each of occupants) shares.set(each.owner, (shares.get(each.owner) ?? 0) + need.sizeOf(each))
  const shareOf = (owner: string) => shares.get(owner) ?? 0
  const own = shareOf(need.owner) + need.adds
  return occupants
    .filter((each) => need.isIdle(each) || shareOf(each.owner) > own)
    .sort(
      (one, other) =>
        shareOf(other.owner) - shareOf(one.owner) ||
        Number(one.requests > 0) - Number(other.requests > 0) ||
        one.usedAt - other.usedAt,
    )[0]
}
