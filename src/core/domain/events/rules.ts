import type { FeedPosition } from "./model.ts"

/** The position of an event in the feed, from its id; ids ascend with positions. */
export const positionOf = (eventId: string): number => Number(eventId.split("_")[1])

/**
 * The id of a position itself: a client that resumes after it has received everything up to there. Instead of a check value it has
 * the time (ms) of the event there, because the hash of an event is for those who may read it; 0 where no event is kept.
 */
export const eventIdAt = (position: number, at = 0): string =>
  eventIdOf(position, (Math.abs(at) % 2 ** 48).toString(16).padStart(12, "0"))

/** Whether a client that resumes after this id misses nothing: the feed contains it and still has every event after it. */
export function isInFeed(eventId: string, { last, removed, event, id }: FeedPosition): boolean {
  const position = positionOf(eventId)
  if (position > last || position < removed) return false
  // Of a removed event only the position is known. Earlier versions sent ids of positions without a time.
  if (event === undefined) return position === removed
  return [event, id, eventIdAt(position)].includes(eventId)
}

/** The id of an event: its position, and a check value that differs between services. */
export const eventIdOf = (position: number, check: string): string => `evt_${position}_${check}`
