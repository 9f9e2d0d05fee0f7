/** Number of repetitions: `full` in the slow suite, `few` in the plain one. */
export const effort = (full: number, few: number): number => (process.env.TEST_SUITE === "slow" ? full : few)

/** Whether this is `npm run verify`, which has half an hour. */
export const isThorough = process.env.VERIFY !== undefined

/** The reason why tests that take longer than the slow suite may are skipped; false when they are not. */
export const unlessThorough = !isThorough && "NOT TESTED HERE: runs in npm run verify"

/** The seed of `npm run verify -- --seed`, which repeats a history. */
export const chosenSeed = process.env.VERIFY_SEED === undefined ? undefined : Number(process.env.VERIFY_SEED)
