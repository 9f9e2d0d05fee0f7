import assert from "node:assert/strict"
import { type Call, refused, type Values } from "./record.ts"

type Alteration = { kind: Call["kind"]; of(history: readonly Call[]): Call[] }

/** Changes of a history that make it impossible, and the kind of thing that shows it. */
export const alterations: Record<string, Alteration> = {
  "a read of the name before the last change": {
    kind: "pet",
    of: (history) => {
      const read = lastOf(history, "pet", "read")
      const [earlier] = history.filter(
        ({ do: what, key, status }) => what === "replace" && key === read.key && status === 200,
      )
      assert.ok(earlier, "not provoked: no change before the last read")
      return altered(history, read, { output: { ...read.output, name: earlier.input?.name as string } })
    },
  },
  "a change with an outdated ETag that succeeds": {
    kind: "pet",
    of: (history) =>
      altered(history, lastOf(history, "pet", "replace", 412), { status: 200, output: { etag: '"new"' } }),
  },
  "a second pet under an id that is taken": {
    kind: "pet",
    of: (history) =>
      altered(history, lastOf(history, "pet", "create", 409), { status: 200, output: { etag: '"new"' } }),
  },
  "a batch of which a part is changed": {
    kind: "batch",
    of: (history) => altered(history, lastOf(history, "batch", "read"), { output: { name: "" } }),
  },
  "a batch that is as before its last change": {
    kind: "batch",
    of: (history) => altered(history, lastOf(history, "batch", "read"), { output: { name: "first" } }),
  },
  "a second open order": {
    kind: "order",
    of: (history) => altered(history, lastOf(history, "order", "place", 409), { status: 200, output: { id: 4711 } }),
  },
  "a key with two pets": {
    kind: "key",
    of: (history) => altered(history, lastOf(history, "key", "count"), { output: { count: 2 } }),
  },
  "a create with a key that has its effect twice, before a kill and when it is sent again": {
    kind: "key",
    of: (history) => {
      const unknown = history.filter(({ kind, status }) => kind === "key" && status === 0)
      const keys = new Set(unknown.map(({ key }) => key))
      const count = last(
        history,
        "key without a response at a kill",
        (call) => call.do === "count" && keys.has(call.key),
      )
      return altered(history, count, { output: { ...count.output, count: 2 } })
    },
  },
  "a repetition with another pet": {
    kind: "key",
    of: (history) => {
      const added = history.filter(({ kind, do: what, status }) => kind === "key" && what === "add" && status === 200)
      const repeated = last(added, "repetition", (call) =>
        added.some((other) => other !== call && other.key === call.key),
      )
      return altered(history, repeated, { output: { id: 1 } })
    },
  },
  "a burst of which two responses are swapped": {
    kind: "burst",
    of: (history) => {
      const one = lastOf(history, "burst", "add")
      const other = lastOf(
        history.filter((call) => call !== one),
        "burst",
        "add",
      )
      return history.map((call) => {
        if (call === one) return { ...one, output: other.output as Values }
        return call === other ? { ...other, output: one.output as Values } : call
      })
    },
  },
  "a create of a burst whose pet is not there": {
    kind: "burst",
    of: (history) =>
      altered(
        history,
        last(history, "pet of a burst", ({ kind, output }) => kind === "burst" && output?.count === 1),
        { output: { count: 0 } },
      ),
  },
  "an import of which a part is there": {
    kind: "import",
    of: (history) => altered(history, lastOf(history, "import", "count"), { output: { count: -1 } }),
  },
  "a hundred requests in a second": {
    kind: "limit",
    of: (history) => {
      const end = Math.max(...history.map((call) => call.end))
      const more = Array.from({ length: 100 }, (_, n): Call => {
        const at = end + n * 1000
        return { client: 0, kind: "limit", key: "free-key", do: "read", status: 200, start: at, end: at + 500 }
      })
      return [...history, ...more]
    },
  },
  "an effect of a change that was refused": {
    kind: "event",
    of: (history) => altered(history, lastOf(history, "pet", "replace"), { status: refused }),
  },
  "a change without an event": {
    kind: "event",
    of: (history) => {
      const nameOf = ({ do: what, key, input }: Call): string => `${what} ${key} ${input?.name}`
      // The event of a change without a response may be missing.
      const changed = history.filter(({ kind, status }) => kind === "pet" && status === 200).map(nameOf)
      const event = last(history, "event", (call) => call.kind === "event" && changed.includes(nameOf(call)))
      return history.filter((call) => call !== event)
    },
  },
  "an event twice": {
    kind: "event",
    of: (history) => [...history, last(history, "event", ({ kind }) => kind === "event")],
  },
  "a delivery of a change that was not made": {
    kind: "delivery",
    of: (history) =>
      altered(
        history,
        last(history, "delivery", ({ kind }) => kind === "delivery"),
        { input: { name: "never written" } },
      ),
  },
  "an event that is not delivered": {
    kind: "delivery",
    of: (history) => {
      const event = last(history, "event", ({ kind }) => kind === "event")
      return history.filter((call) => call.kind !== "delivery" || call.key !== event.key)
    },
  },
  "a delivery with another id when it is repeated": {
    kind: "delivery",
    of: (history) => [
      ...history,
      { ...last(history, "delivery", ({ kind }) => kind === "delivery"), output: { etag: "evt_other" } },
    ],
  },
  "the deliveries of a pet in another order": {
    kind: "delivery",
    of: (history) => reversed(history, "delivery"),
  },
  "the events of a pet in another order": {
    kind: "event",
    of: (history) => reversed(history, "event"),
  },
}

/** The last such call, without which there is nothing to alter. */
function last(history: readonly Call[], what: string, isSought: (call: Call) => boolean): Call {
  const call = history.findLast(isSought)
  assert.ok(call, `not provoked: no ${what}`)
  return call
}

/** The last call of a kind with a response. */
const lastOf = (history: readonly Call[], kind: Call["kind"], what: string, status = 200): Call =>
  last(
    history,
    `${what} of a ${kind} with ${status}`,
    (call) => call.kind === kind && call.do === what && call.status === status,
  )

/** The history with one call changed. */
const altered = (history: readonly Call[], sought: Call, change: Partial<Call>): Call[] =>
  history.map((call) => (call === sought ? { ...call, ...change } : call))

/** The history with the calls of a kind in the opposite order. */
const reversed = (history: readonly Call[], kind: Call["kind"]): Call[] => [
  ...history.filter((call) => call.kind !== kind),
  ...history.filter((call) => call.kind === kind).reverse(),
]
