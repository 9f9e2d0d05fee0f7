/** The position of the last event that the retention has removed from the feed. */
export const up = () => ["INSERT INTO counters (name, last) VALUES ('events-removed', 0)"]
