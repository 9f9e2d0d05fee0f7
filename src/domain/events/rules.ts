/** The place of an event in the feed, read from its id; ids ascend with it. */
export const positionOf = (eventId: string): number => Number(eventId.split("_")[1])

/** An event's id: its place in the feed, and a check that keeps it apart from another service's event at that place. */
export const eventIdOf = (position: number, check: string): string => `evt_${position}_${check}`
