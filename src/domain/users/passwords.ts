/** Hashing of passwords: slow on purpose, off the event loop, a bounded number at once. */
export type Passwords = {
  /** The hash to store, with its salt and costs in it (PHC string format). Fails with `unavailable` when too many wait. */
  hash(password: string): Promise<string>
  /** Whether the password has this hash. Without a hash the answer is no, after the same time. */
  matches(password: string, hash: string | undefined): Promise<boolean>
}
