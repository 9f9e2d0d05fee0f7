import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type ComparedRow, differences, type RowChange } from "./diff.ts"

async function* inTurn(rows: readonly ComparedRow[]): AsyncGenerator<ComparedRow> {
  yield* rows
}

const between = (before: readonly ComparedRow[], after: readonly ComparedRow[]): Promise<RowChange[]> =>
  Array.fromAsync(differences(inTurn(before), inTurn(after)))

type JsonObject = Record<string, unknown>

/** Sets or removes the member at a pointer (RFC 6901). */
function apply(value: JsonObject, pointer: string, change: { after?: unknown }): void {
  const names = pointer.slice(1).split("/")
  const [last = "", ...path] = names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")).reverse()
  const parent = path.reduceRight<JsonObject>((inside, name) => inside[name] as JsonObject, value)
  if ("after" in change) parent[last] = change.after
  else delete parent[last]
}

function applied(rows: readonly ComparedRow[], changes: readonly RowChange[]): ComparedRow[] {
  const byId = new Map(rows.map(({ id, value }) => [id, structuredClone(value) as JsonObject]))
  for (const change of changes)
    if ("members" in change)
      for (const member of change.members) apply(byId.get(change.id) as JsonObject, member.pointer, member)
    else if (change.change === "added") byId.set(change.id, structuredClone(change.value) as JsonObject)
    else byId.delete(change.id)
  return [...byId].map(([id, value]) => ({ id, value })).sort((a, b) => a.id - b.id)
}

/** Few ids and names, so that the sides have some in common. */
const names = fc.constantFrom("a", "b/~c", "", "toString")
const leaf = fc.oneof(fc.constantFrom(null, 0, "x", true, []), fc.array(fc.constantFrom(1, { a: 2 })))
const value = fc.dictionary(names, fc.oneof(leaf, fc.dictionary(names, leaf, { noNullPrototype: true })), {
  noNullPrototype: true,
})
const rows = fc
  .uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 8 }), value }, { noNullPrototype: true }), {
    selector: ({ id }) => id,
  })
  .map((all) => all.sort((a, b) => a.id - b.id))

test("equal rows have no difference, and the differences make the one side of the other", () =>
  fc.assert(
    fc.asyncProperty(rows, rows, async (before, after) => {
      assert.deepEqual(await between(before, structuredClone(before)), [])
      const changes = await between(before, after)
      assert.deepEqual(applied(before, changes), after)
      const ids = changes.map(({ id }) => id)
      assert.deepEqual(
        ids,
        [...new Set(ids)].sort((a, b) => a - b),
      )
    }),
  ))

test("members of objects differ one by one, lists as a whole, and what only one side has has one value", async () => {
  const before = { name: "Rex", category: { id: 1, name: "Dogs" }, tags: [1], old: null }
  const after = { name: "Rex", category: { id: 1, name: "Cats" }, tags: [1, 2], "a/b": 1 }
  assert.deepEqual(await between([{ id: 3, value: before }], [{ id: 3, value: after }]), [
    {
      id: 3,
      change: "changed",
      members: [
        { pointer: "/category/name", before: "Dogs", after: "Cats" },
        { pointer: "/tags", before: [1], after: [1, 2] },
        { pointer: "/old", before: null },
        { pointer: "/a~1b", after: 1 },
      ],
    },
  ])
})

test("the difference says that a secret changed, without its values, and it is read only where both sides have the row", async () => {
  const withSecret = (id: number, text: string): ComparedRow => ({
    id,
    value: {},
    secret: { member: "password", read: () => (text === "unread" ? assert.fail() : text) },
  })
  assert.deepEqual(
    await between(
      [withSecret(1, "unread"), withSecret(2, "same"), withSecret(3, "one")],
      [withSecret(2, "same"), withSecret(3, "other"), withSecret(4, "unread")],
    ),
    [
      { id: 1, change: "removed", value: {} },
      { id: 3, change: "changed", members: [{ pointer: "/password" }] },
      { id: 4, change: "added", value: {} },
    ],
  )
})
