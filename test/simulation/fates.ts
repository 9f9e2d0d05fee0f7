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

/** Of so many, one meets a fault; the first of all is none. */
const anyFates = <F extends string>(
  [good, ...faults]: readonly F[],
  perFault: number,
  maxLength: number,
): fc.Arbitrary<F[]> =>
  fc.array(
    fc.oneof(
      { weight: perFault - 1, arbitrary: fc.constant(good as F) },
      { weight: 1, arbitrary: fc.constantFrom(...faults) },
    ),
    { maxLength, size: "max" },
  )

const all = Object.keys(fates) as Fate[]

/** The fates of at most so many. */
export const anyFatesOfServer = (most: { commits: number; statements: number }): fc.Arbitrary<Fates> =>
  fc.record({
    commits: anyFates(all, 3, most.commits),
    statements: anyFates(all, 20, most.statements),
    connections: anyFates(["opens", "is refused"], 7, 12),
  })

/** The same of a command that Redis receives. A restart loses all data, a failover none; both end every connection. */
export const redisFates = {
  "is done": { isDone: true, reply: "sent" },
  "is lost": { isDone: false, reply: "cut" },
  "loses its reply": { isDone: true, reply: "cut" },
  "is not received": { isDone: false, reply: "none" },
  "gets no reply": { isDone: true, reply: "none" },
  "is late": { isDone: true, reply: "late" },
  "comes after a restart": { isDone: false, reply: "restart" },
  "comes before a restart": { isDone: true, reply: "restart" },
  "comes before a failover": { isDone: true, reply: "failover" },
  "finds data being loaded": { isDone: false, reply: "LOADING Redis is loading the dataset in memory" },
  "finds a replica": { isDone: false, reply: "READONLY You can't write against a read only replica." },
} as const
type RedisFate = keyof typeof redisFates

/** What becomes of each script, other command, message to a subscriber and new connection, in turn; later all succeed. */
export type RedisFates = {
  scripts: RedisFate[]
  commands: RedisFate[]
  messages: ("arrives" | "is lost")[]
  connections: ("opens" | "is refused" | "is not accepted")[]
}

export const noFates = (): RedisFates => ({ scripts: [], commands: [], messages: [], connections: [] })
const allOfRedis = Object.keys(redisFates) as RedisFate[]

export const anyFatesOfRedis: fc.Arbitrary<RedisFates> = fc.record({
  scripts: anyFates(allOfRedis, 6, 40),
  commands: anyFates(allOfRedis, 25, 80),
  messages: anyFates(["arrives", "is lost"], 4, 12),
  connections: anyFates(["opens", "is refused", "is not accepted"], 6, 12),
})
