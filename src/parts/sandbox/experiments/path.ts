/** The page of experiments. */
export const tryPath = "/try"
