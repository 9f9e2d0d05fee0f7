/** Hashing of passwords: slow on purpose, off the event loop, with bounded concurrency. */
export type Passwords = {
  /** The hash to store, salt and costs included (PHC string format). Throws the problem `unavailable` when too many wait. */
  hash(password: string): Promise<string>
  /** Whether the password has this hash. Without a hash the result is false, after the same time. */
  matches(password: string, hash: string | undefined): Promise<boolean>
}
