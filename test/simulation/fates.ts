import fc from "fast-check"

/**
 * What becomes of a statement: whether the server does it, and what the client receives: its reply, an error, none although the
 * connection stays, or the end of the connection.
 */
export const fates = {
  "is done": { isDone: true, reply: "sent" },
  "is lost": { isDone: false, reply: "cut" },
  "loses its reply": { isDone: true, reply: "cut" },
  "is not received": { isDone: false, reply: "none" },
  "gets no reply": { isDone: true, reply: "none" },
  "is in a conflict": { isDone: false, reply: "40001" },
  "is in a deadlock": { isDone: false, reply: "40P01" },
  "finds a row locked": { isDone: false, reply: "55P03" },
  "is cancelled": { isDone: false, reply: "57014" },
  "comes too late": { isDone: false, reply: "25P03" },
  "is terminated": { isDone: false, reply: "57P01" },
  // As a COMMIT that waits for a standby.
  "is terminated when done": { isDone: true, reply: "57P01" },
} as const
export type Fate = keyof typeof fates

/** What becomes of each COMMIT, of each other statement and of each new connection, in turn; later all succeed. */
export type Fates = { commits: Fate[]; statements: Fate[]; connections: ("opens" | "is refused")[] }

const [good, ...faults] = Object.keys(fates) as [Fate, ...Fate[]]

/** Of so many statements one meets a fault. */
const anyFates = (perFault: number, maxLength: number): fc.Arbitrary<Fate[]> =>
  fc.array(
    fc.oneof(
      { weight: perFault - 1, arbitrary: fc.constant(good) },
      { weight: 1, arbitrary: fc.constantFrom(...faults) },
    ),
    { maxLength, size: "max" },
  )

/** The fates of at most so many. */
export const anyFatesOfServer = (most: { commits: number; statements: number }): fc.Arbitrary<Fates> =>
  fc.record({
    commits: anyFates(3, most.commits),
    statements: anyFates(20, most.statements),
    connections: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant("opens" as const) },
        { weight: 1, arbitrary: fc.constant("is refused" as const) },
      ),
      { maxLength: 12 },
    ),
  })
