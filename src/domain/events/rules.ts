/** The position of an event in the feed, from its id; ids ascend with positions. */
export const positionOf = (eventId: string): number => Number(eventId.split("_")[1])

/** The id of a position itself: a client that resumes after it has received everything up to there. */
export const placeIdOf = (position: number): string => eventIdOf(position, "000000000000")

/** The id of an event: its position, and a check value that differs between services. */
export const eventIdOf = (position: number, check: string): string => `evt_${position}_${check}`
