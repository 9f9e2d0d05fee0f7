/** Something that may be tried `max` times in a while. */
export type Tried = { name: string; max: number }

/** How often things were tried lately, so that guessing takes longer than anybody has. */
export type Attempts = {
  /**
   * Counts a try of all of them, at once and before it is known how it ends; undefined when it may go ahead. Otherwise
   * nothing is counted and the answer is in how many milliseconds it may.
   */
  admit(tried: readonly Tried[], windowMs: number): Promise<number | undefined>
  /** The try admitted last under these names was no guess: it is not counted. */
  forgive(tried: readonly Tried[]): Promise<void>
}
