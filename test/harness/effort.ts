/** Number of repetitions: `full` under CI, `few` on a developer's machine. */
export const effort = (full: number, few: number): number => (process.env.CI ? full : few)

/** Whether this is `npm run verify`, which has half an hour. */
export const isThorough = process.env.VERIFY !== undefined

/** The reason why tests that take longer than the slow suite may are skipped; false when they are not. */
export const unlessThorough = !isThorough && "NOT TESTED HERE: runs in npm run verify"
