/** Password hashing: slow on purpose, off the event loop, with bounded concurrency. */
export type Passwords = {
  /** The hash to store (PHC string format). Throws the problem `unavailable` when too many calls wait. */
  hash(password: string): Promise<string>
  /** Whether the password matches the hash. Without a hash, false after the same time. */
  matches(password: string, hash: string | undefined): Promise<boolean>
}
