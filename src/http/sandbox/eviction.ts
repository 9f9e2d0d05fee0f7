/** What decides whether a sandbox makes room for another one. */
export type Occupant = {
  /** The network of the client that created it. */
  owner: string
  /** Requests for it that have no complete response yet. */
  requests: number
  /** When it was last used, on a steady clock. */
  usedAt: number
}

type Need<O> = {
  /** For whom there has to be room, and how much that adds to the owner's share. */
  owner: string
  adds: number
  /** What an occupant adds to the share of its owner. */
  weigh(occupant: O): number
  /** Whether an occupant has not been used for long enough to be evicted for any owner. */
  isIdle(occupant: O): boolean
}

/**
 * The least recently used occupant of the owner with the largest share; undefined when none may be evicted. An occupant in use
 * is evicted only for an owner whose share stays smaller, so that no owner takes from others what it could not keep itself.
 */
export function chooseEvicted<O extends Occupant>(occupants: readonly O[], need: Need<O>): O | undefined {
  const shares = new Map<string, number>()
  for (const each of occupants) shares.set(each.owner, (shares.get(each.owner) ?? 0) + need.weigh(each))
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
