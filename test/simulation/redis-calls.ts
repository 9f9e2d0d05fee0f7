import assert from "node:assert/strict"

export const minuteMs = 60_000

/** What is known of a replica from outside. */
export type ReplicaState = {
  /** The number of beginnings and ends of outages: while it is even, Redis is available. */
  epoch: number
  /** The moment of the last of them, and the epoch in which Redis last replied to a request. */
  changed: number
  repliedIn: number
  isEnded: boolean
}

/** A request or a try at a replica, from `start` to `end` in the order of the run and in milliseconds. */
export type Call = {
  account: number
  replica: ReplicaState
  epoch: number
  start: number
  startMs: number
  end: number
  endMs: number
  isAdmitted: boolean
  /** Whether Redis was available, or was not, from start to end. */
  by: "Redis" | "replica" | "either"
  /** Whether the other replicas have certainly heard of it. */
  isHeard: boolean
}

const admittedOf = (calls: readonly Call[], account: number): Call[] =>
  calls.filter((call) => call.account === account && call.isAdmitted)

/** Those certainly in the minute up to the end of a call. */
const inMinuteOf = (calls: readonly Call[], { endMs }: Call): Call[] =>
  calls.filter((call) => call.startMs > endMs - minuteMs && call.endMs <= endMs)

/**
 * In any minute one replica admits no more than its share while Redis is away, and all of them this and the maximum; the maximum when
 * Redis never was. `losses` are the moments in milliseconds when Redis lost its data.
 */
export function checkMinutes(calls: readonly Call[], max: number, share: number, losses: readonly number[]): void {
  const admitted = calls.filter(({ isAdmitted }) => isAdmitted)
  for (const call of admitted) {
    const inMinute = inMinuteOf(admitted, call)
    const away = Map.groupBy(inMinute, ({ by, replica }) => (by === "replica" ? replica : undefined))
    away.delete(undefined)
    for (const { length } of away.values()) assert.ok(length <= share, `${length} without Redis, at most ${share}`)
    if (losses.some((lossMs) => lossMs > call.endMs - minuteMs)) continue
    const byReplicas = new Set(inMinute.filter(({ by }) => by !== "Redis").map(({ replica }) => replica))
    const bound = max + byReplicas.size * share
    assert.ok(inMinute.length <= bound, `${inMinute.length} in a minute, at most ${bound}`)
  }
}

/**
 * What Redis may have counted of the requests of an account: each admitted one once, unless Redis lost its data and its replica has
 * ended; one that was refused without Redis may count, because its reply may have been lost.
 */
export function rangesOf(calls: readonly Call[], account: number, now: number) {
  const admitted = admittedOf(calls, account)
  const certain = admitted.filter(({ replica, isHeard }) => !replica.isEnded || isHeard)
  const unclear = calls.filter((call) => call.account === account && !call.isAdmitted && call.by === "either")
  const possible = [...admitted, ...unclear]
  return {
    day: { min: certain.length, max: possible.length },
    minute: {
      min: certain.filter(({ startMs }) => startMs > now - minuteMs).length,
      max: possible.filter(({ endMs }) => endMs > now - minuteMs).length,
    },
    ofEnded: certain.filter(({ replica }) => replica.isEnded).length,
  }
}

/**
 * Returns which admitted requests Redis certainly knows when a replica sends another one now: those that it counted on connections that
 * still exist, and what replicas admitted before an outage that has ended, as soon as Redis has replied to them after it.
 */
export function captureKnowledge(asker: ReplicaState, replicas: readonly ReplicaState[], now: number) {
  const states = new Map(
    replicas.map((replica) => {
      const { epoch, changed, repliedIn } = replica
      return [replica, { epoch, backAt: replica === asker || repliedIn === epoch ? changed : 0 }] as const
    }),
  )
  const isKnown = ({ replica, by, epoch, end }: Call): boolean => {
    const state = states.get(replica)
    if (!state || end > now || state.epoch % 2 === 1) return false
    return (by === "Redis" && epoch === state.epoch) || end < state.backAt
  }
  /** A request that Redis admitted must not be one too many after these. */
  return (call: Call, calls: readonly Call[], quota: { minute: number; day: number }): void => {
    const known = admittedOf(calls, call.account).filter((other) => other !== call && isKnown(other))
    const inMinute = inMinuteOf(known, call).length
    assert.ok(
      inMinute < quota.minute && known.length < quota.day,
      `${inMinute} of a minute and ${known.length} of a day`,
    )
  }
}
