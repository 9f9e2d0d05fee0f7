/** Number of repetitions: `full` under CI, `few` on a developer's machine. */
export const effort = (full: number, few: number): number => (process.env.CI ? full : few)
