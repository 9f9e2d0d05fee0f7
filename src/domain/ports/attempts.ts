/** Something that may be tried `max` times in a window. */
export type Tried = { name: string; max: number }

/** Counts recent attempts by name, so that guessing takes too long to succeed. */
export type Attempts = {
  /**
   * Counts one attempt under every name, or under none when one is used up in the sliding window. Resolves with undefined when
   * the attempt is allowed, else with the milliseconds to wait.
   */
  admit(tried: readonly Tried[], windowMs: number): Promise<number | undefined>
  /** Takes back the attempt admitted last under each of these names. */
  forgive(tried: readonly Tried[]): Promise<void>
  /**
   * Queues an attempt under a name that anyone may try. The first `max` in a window proceed at once, each further one after a
   * pause. Of those waiting, the one from the networks (`from`, narrowest first) with the fewest attempts goes first; of equals
   * the newest. Resolves with undefined when it may proceed and is counted, else, when too many wait, with the milliseconds to wait.
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
