// Decision: docs/decisions/sandbox.md#attempts-are-folded-into-the-latest-of-them

/** What tells whether requests are attempts at the same. */
export type Sent = {
  /** When it arrived and ended, in milliseconds. */
  arrivedAt: number
  endedAt: number
  /** Credential, method and path in one text. */
  target: string
  /** Its `Idempotency-Key`. */
  key: string | undefined
  /** Undefined where it is not recorded as it was sent. */
  body: string | undefined
}

/** The longest pause between attempts that have no key in common. */
const pauseMsMax = 60_000
const attemptsMax = 100

/** Puts each request into the group of the latest attempt with its key, or else with its body, or into a new one. Keeps their order. */
export function groupAttempts<One extends Sent>(inOrder: readonly One[]): One[][] {
  const groups: One[][] = []
  const latest = new Map<string, One[]>()
  for (const one of inOrder) {
    const [byKey, byBody] = [nameOf("key", one.target, one.key), nameOf("body", one.target, one.body)]
    const group = [latest.get(byKey ?? ""), recent(latest.get(byBody ?? ""), one)].find(hasSpace) ?? []
    if (group.length === 0) groups.push(group)
    group.push(one)
    if (byKey !== undefined) latest.set(byKey, group)
    if (byBody !== undefined) latest.set(byBody, group)
  }
  return groups
}

/** No header and no request target contains the separator (RFC 9110, section 5.5). */
const nameOf = (kind: "key" | "body", target: string, value: string | undefined): string | undefined =>
  value === undefined ? undefined : `${kind}\0${target}\0${value}`

const hasSpace = (group: readonly Sent[] | undefined): boolean => group !== undefined && group.length < attemptsMax

const recent = <One extends Sent>(group: One[] | undefined, { arrivedAt }: Sent): One[] | undefined =>
  group?.at(-1) && arrivedAt - (group.at(-1) as One).endedAt <= pauseMsMax ? group : undefined

/** Whether all of these are equal; undefined where there is nothing to compare. */
export function compareAttempts(group: readonly Sent[]): { bodiesEqual?: boolean; keysEqual?: boolean } {
  const [bodies, keys] = [group.map(({ body }) => body), group.map(({ key }) => key)]
  return {
    ...(!bodies.includes(undefined) && bodies.some(Boolean) && { bodiesEqual: areEqual(bodies) }),
    ...(keys.some((key) => key !== undefined) && { keysEqual: areEqual(keys) }),
  }
}

const areEqual = (values: readonly unknown[]): boolean => values.every((value) => value === values[0])
