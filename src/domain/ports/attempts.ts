/** Something that may be tried `max` times in a window. */
export type Tried = { name: string; max: number }

/** Counts recent attempts by name, so that guessing takes too long to succeed. */
export type Attempts = {
  /**
   * Counts one attempt under every name, or under none when one of them is used up. Resolves with undefined when the
   * attempt may go ahead, else with the milliseconds after which it may. `windowMs` is the length of the sliding window.
   */
  admit(tried: readonly Tried[], windowMs: number): Promise<number | undefined>
  /** Takes back the attempt admitted last under each of these names. */
  forgive(tried: readonly Tried[]): Promise<void>
  /**
   * Waits for the turn of an attempt under a name that anyone may try. Fewer than `max` in a window go ahead at once; each
   * further one waits for a pause after the one before, however many arrive at once. Of those that wait, the one
   * goes first whose places (`from`, narrowest first, each with the attempts admitted under it) have tried least, and of equals the newest.
   * Resolves with undefined when the attempt may go ahead and is counted, else, because too many
   * wait, with the milliseconds after which to try again.
   */
  turn(tried: Tried, from: readonly Tried[], pace: Pace): Promise<number | undefined>
  /** Refuses all that wait for their turn. */
  release(): void
  /** Keeps a name for so long. */
  remember(name: string, forMs: number): Promise<void>
  isRemembered(name: string): Promise<boolean>
}

/** How attempts under one name follow one another: the window, and the pauses, of which the last repeats. */
export type Pace = { windowMs: number; pausesMs: readonly number[] }
