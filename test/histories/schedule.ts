import { randomOf } from "../harness/random.ts"

/** Each kind of failure, and what fails. `cut`, `delay`, `lose`, `hold` and `abandon` are those of the network to it. */
const kinds = {
  "kill replica": "replica",
  "pause replica": "replica",
  "shift clock": "clock",
  "kill PostgreSQL": "PostgreSQL",
  "pause PostgreSQL": "PostgreSQL",
  "cut PostgreSQL": "network to PostgreSQL",
  "delay PostgreSQL": "network to PostgreSQL",
  "lose PostgreSQL": "network to PostgreSQL",
  "hold PostgreSQL": "network to PostgreSQL",
  "abandon PostgreSQL": "network to PostgreSQL",
  "kill Redis": "Redis",
  "pause Redis": "Redis",
  "cut Redis": "network to Redis",
  "delay Redis": "network to Redis",
  "lose Redis": "network to Redis",
  "hold Redis": "network to Redis",
  "abandon Redis": "network to Redis",
} as const

export type FailureKind = keyof typeof kinds

export const kindsOfCluster = Object.keys(kinds) as FailureKind[]
export const kindsOfProcess = ["kill replica", "pause replica", "shift clock"] as const

/** A failure that begins after so many milliseconds; the replica and the shift matter to some kinds. */
export type Failure<K extends FailureKind = FailureKind> = {
  kind: K
  afterMs: number
  forMs: number
  replica: number
  shiftMs: number
}

/** One failure, or two at once, so many milliseconds after the end of those before. */
export type Disturbance<K extends FailureKind = FailureKind> = { afterMs: number; failures: readonly Failure<K>[] }

/** Longer than a claim of a delivery lasts, so that those of a replica with a wrong clock overlap with those of others. */
export const shiftMsMax = 90_000

/**
 * The first `count` disturbances of a seed, of which every second one is a pair; each kind occurs once in as many disturbances as
 * there are kinds. The replica of the second failure of a pair is the next one.
 */
export function scheduleOf<K extends FailureKind>(
  seed: number,
  count: number,
  { of, replicas }: { of: readonly K[]; replicas: number },
): Disturbance<K>[] {
  const random = randomOf(seed)
  const between = (least: number, most: number) => Math.floor(least + random() * (most - least + 1))
  const waiting: K[] = []
  const draw = (isPossible: (kind: K) => boolean = () => true): K => {
    if (!waiting.some(isPossible)) waiting.push(...shuffle(of, between))
    return waiting.splice(waiting.findIndex(isPossible), 1)[0] as K
  }
  const failureOf = (kind: K, replica: number, afterMs: number): Failure<K> => ({
    kind,
    afterMs,
    forMs: kind.startsWith("pause") ? between(500, 8_000) : between(300, 1_500),
    replica,
    shiftMs: between(-shiftMsMax, shiftMsMax),
  })
  return Array.from({ length: count }, (_, n) => {
    const replica = between(0, replicas - 1)
    const first = failureOf(draw(), replica, 0)
    const isOther = (kind: K) =>
      kind !== first.kind && (kinds[kind] !== kinds[first.kind] || (replicas > 1 && kinds[kind] === "replica"))
    const second = n % 2 === 1 ? [failureOf(draw(isOther), (replica + 1) % replicas, between(0, 500))] : []
    return { afterMs: between(700, 2_000), failures: [first, ...second] }
  })
}

function shuffle<T>(items: readonly T[], between: (least: number, most: number) => number): T[] {
  const left = [...items]
  return items.map(() => left.splice(between(0, left.length - 1), 1)[0] as T)
}
