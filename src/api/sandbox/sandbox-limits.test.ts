import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../kernel/problem.ts"
import { mebibyte, type SandboxBounds, sandboxBounds } from "./bounds.ts"
import { mayAddData, type OpenSandbox, requireWritable, SandboxLimits } from "./sandbox-limits.ts"

const bounds = {
  ...sandboxBounds,
  max: 4,
  ofAddressMax: 2,
  ofExemptMax: 3,
  bytesMax: 3 * mebibyte + 1,
  replaceableMs: 60_000,
}

/** Limits of these sandboxes at the time 100 s, at which a minute has passed since 40 s. */
function limitsOf(
  given: readonly (Partial<OpenSandbox> & { name: string })[],
  closing: readonly string[] = [],
  limit: SandboxBounds = bounds,
) {
  const all = given.map((each) => ({ owner: "a", requests: 0, usedAt: 100_000, bytes: 0, ...each }))
  const sandboxes = new Map(all.map((each) => [each.name, each]))
  const limits = new SandboxLimits({
    bounds: limit,
    steady: { now: () => 100_000 },
    sandboxes,
    closing: new Set(closing),
    isExempt: (address) => address === "exempt",
    forget: ({ name }) => void sandboxes.delete(name),
  })
  return { limits, names: () => [...sandboxes.keys()] }
}

const refusedFor = (detail: string, retryAfter: number) => (error: unknown) => {
  assert.ok(error instanceof Problem)
  assert.deepEqual([error.code, error.detail, error.retryAfter], ["unavailable", detail, retryAfter])
  return true
}
const used = "and each was used within the last minute. Nothing was changed."
const next = (name: string, seconds: number) =>
  `${name}, unused for longest, makes way in ${seconds} s, or at once with DELETE /sandboxes/${name}`

test("an address has its own maximum, and an exempt one another", () => {
  const one = limitsOf([{ name: "one" }])
  one.limits.make("a", "usual")
  assert.deepEqual(one.names(), ["one"])
  const two = [
    { name: "one", usedAt: 90_000 },
    { name: "two", usedAt: 80_500 },
  ]
  assert.throws(
    () => limitsOf(two).limits.make("a", "usual"),
    refusedFor(`Your address has 2 sandboxes, ${used} ${next("two", 41)}`, 41),
  )
  limitsOf(two).limits.make("b", "usual")
  limitsOf(two).limits.make("a", "exempt")
  assert.throws(
    () => limitsOf([...two, { name: "three", usedAt: 80_000 }]).limits.make("a", "exempt"),
    refusedFor(`Your address has 3 sandboxes, ${used} ${next("three", 40)}`, 40),
  )
})

test("one that was idle for a minute makes way for another of its address", () => {
  const { limits, names } = limitsOf([
    { name: "one", usedAt: 40_000 },
    { name: "two" },
    { name: "other", owner: "b", usedAt: 0 },
  ])
  limits.make("a", "usual")
  assert.deepEqual(names(), ["two", "other"])
  assert.throws(
    () => limitsOf([{ name: "one", usedAt: 40_001 }, { name: "two" }]).limits.make("a", "usual"),
    refusedFor(`Your address has 2 sandboxes, ${used} ${next("one", 1)}`, 1),
  )
  const running = [
    { name: "one", requests: 1 },
    { name: "two", requests: 1 },
  ]
  assert.throws(
    () => limitsOf(running.map((each) => ({ ...each, usedAt: 0 }))).limits.make("a", "usual"),
    refusedFor(`Your address has 2 sandboxes, ${used} Requests to all of them are running`, 60),
  )
})

test("all together have a maximum, at which the largest owner makes way", () => {
  const three = ["b", "c", "d"].map((owner) => ({ name: `of-${owner}`, owner }))
  const free = limitsOf(three)
  free.limits.make("a", "usual")
  assert.equal(free.names().length, 3)
  const full = [...three, { name: "of-e", owner: "e" }]
  assert.throws(
    () => limitsOf(full).limits.make("a", "usual"),
    refusedFor(`There are 4 sandboxes, ${used} ${next("of-b", 60)}`, 60),
  )
  const crowded = limitsOf([...three, { name: "of-c-2", owner: "c", usedAt: 99_000 }])
  crowded.limits.make("a", "usual")
  assert.deepEqual(crowded.names(), ["of-b", "of-c", "of-d"])
})

test("while as many are closing as the maximum, none is made", () => {
  const idle = [{ name: "one", usedAt: 0 }]
  limitsOf(idle, ["1", "2", "3"]).limits.make("a", "usual")
  const { limits, names } = limitsOf(idle, ["1", "2", "3", "4"])
  assert.throws(() => limits.make("a", "usual"), refusedFor(`There are 4 sandboxes, ${used} ${next("one", 1)}`, 1))
  assert.deepEqual(names(), ["one"])
})

test("sandboxes that hold too many bytes together make way, the largest first, but never the one that grows", () => {
  const sizes = (one: number, two: number, three: number) => [
    { name: "one", owner: "b", usedAt: 0, bytes: one },
    { name: "two", owner: "c", usedAt: 0, bytes: two },
    { name: "three", usedAt: 0, bytes: three },
  ]
  const within = limitsOf(sizes(mebibyte, mebibyte, mebibyte))
  within.limits.evictForBytes("a")
  assert.equal(within.names().length, 3)
  const above = limitsOf(sizes(mebibyte + 2, mebibyte - 1, mebibyte))
  above.limits.evictForBytes("a")
  assert.deepEqual(above.names(), ["two", "three"])
  const several = limitsOf(sizes(2 * mebibyte, 2 * mebibyte + 1, 2 * mebibyte))
  several.limits.evictForBytes("a")
  assert.deepEqual(several.names(), ["three"])
  const large = { name: "large", owner: "a", requests: 0, usedAt: 0, bytes: 3 * mebibyte + 1 }
  const own = new Map([["large", large]])
  const growing = new SandboxLimits({
    bounds,
    steady: { now: () => 100_000 },
    sandboxes: own,
    closing: new Set(),
    isExempt: () => false,
    forget: ({ name }) => void own.delete(name),
  })
  assert.throws(
    () => growing.evictForBytes("a", large),
    refusedFor(`The sandboxes hold 3 MiB together, ${used} Requests to all of them are running`, 60),
  )
  assert.equal(own.size, 1)
})

test("the service's own data must be writable where a sandbox is made", () => {
  requireWritable(undefined)
  assert.throws(
    () => requireWritable("the disk is full"),
    refusedFor("The service's own data cannot be written: the disk is full. Nothing was changed", 10),
  )
})

test("only POST, PUT and PATCH may add data", () => {
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
  assert.deepEqual(methods.filter(mayAddData), ["POST", "PUT", "PATCH"])
})

test("by default an address has ten, an exempt one a hundred, and all together a hundred and 1 GiB", () => {
  const refusal = (count: number, address: string, ownerOf = (_: number): string => "a", bytes = 0) => {
    const given = Array.from({ length: count }, (_, n) => ({ name: `${n}`, owner: ownerOf(n), bytes }))
    const { limits } = limitsOf(given, [], sandboxBounds)
    try {
      limits.evictForBytes("a")
      limits.make("a", address)
      return undefined
    } catch (error) {
      return error instanceof Problem ? error.detail.split(",")[0] : error
    }
  }
  assert.deepEqual([refusal(9, "usual"), refusal(10, "usual")], [undefined, "Your address has 10 sandboxes"])
  assert.deepEqual([refusal(99, "exempt"), refusal(100, "exempt")], [undefined, "Your address has 100 sandboxes"])
  const each = (n: number) => `owner ${n}`
  assert.deepEqual([refusal(99, "usual", each), refusal(100, "usual", each)], [undefined, "There are 100 sandboxes"])
  const ofTwo = (bytes: number) => refusal(2, "usual", () => "a", bytes)
  const full = "The sandboxes hold 1024 MiB together"
  assert.deepEqual([ofTwo(512 * mebibyte - 1), ofTwo(512 * mebibyte)], [undefined, full])
})
