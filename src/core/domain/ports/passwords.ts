/** Password hashing: slow on purpose, off the event loop, with bounded concurrency. */
export type Passwords = {
  /** The hash to store (PHC string format), always the same with a salt, which is for public passwords. Throws the problem `unavailable` when too many calls wait. */
  hash(password: string, salt?: Uint8Array): Promise<string>
  /** Whether the password matches the hash. Without a hash, false after the same time. */
  matches(password: string, hash: string | undefined): Promise<boolean>
}
