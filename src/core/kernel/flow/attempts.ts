/** An attempt that is allowed `max` times in a window. */
export type AttemptLimit = { name: string; max: number }

/** Counts recent attempts by name, to make guessing too slow to succeed. */
export type Attempts = {
  /**
   * Counts one attempt under every name, or under none when one is used up in the sliding window. Resolves with undefined when
   * the attempt is allowed, else with the milliseconds to wait.
   */
  admit(tried: readonly AttemptLimit[], windowMs: number): Promise<number | undefined>
  /** Reverts the latest admitted attempt under each of these names. */
  forgive(tried: readonly AttemptLimit[]): Promise<void>
  /**
   * Queues an attempt under a name that anyone may try. The first `max` in a window proceed at once, each further one after a
   * pause. Of those waiting, the one from the networks (`from`, narrowest first) with the fewest attempts goes first; of equals
   * the newest. Resolves with undefined when it may proceed and is counted, else, when too many wait, with the milliseconds to wait.
   */
  enqueue(tried: AttemptLimit, from: readonly AttemptLimit[], pace: Pace): Promise<number | undefined>
  /** Rejects all waiting attempts. */
  release(): void
  /** Remembers a name for this long. */
  remember(name: string, forMs: number): Promise<void>
  isRemembered(name: string): Promise<boolean>
}

/** The pace of attempts under one name: the window, and the pauses, the last of which repeats. */
export type Pace = { windowMs: number; pausesMs: readonly number[] }
