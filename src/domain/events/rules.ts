/** The place of an event in the feed, read from its id; ids ascend with it. */
export const positionOf = (eventId: string): number => Number(eventId.split("_")[1])

/** The id that stands for a place by itself: whoever goes on behind it has everything up to there. */
export const placeIdOf = (position: number): string => eventIdOf(position, "000000000000")

/** An event's id: its place in the feed, and a check that keeps it apart from another service's event at that place. */
export const eventIdOf = (position: number, check: string): string => `evt_${position}_${check}`
