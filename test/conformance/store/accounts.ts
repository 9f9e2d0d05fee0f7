import assert from "node:assert/strict"
import { test } from "node:test"
import { type OpenStore, readPages, useStore } from "./samples.ts"

export function testAccounts(open: OpenStore): void {
  const store = useStore(open)
  const add = (name: string) => store.transaction((tx) => tx.accounts.add({ name, plan: "free" }))

  test("an account receives the next id and reads back", async () => {
    assert.equal(await store.accounts.first(), undefined)
    const [first, second] = [await add("first"), await add("Zweite 🐢")]
    assert.ok(second.id > first.id)
    assert.deepEqual({ ...(await store.accounts.read(second.id)) }, { id: second.id, name: "Zweite 🐢", plan: "free" })
    assert.equal(await store.accounts.read(second.id + 1000), undefined)
    assert.equal((await store.accounts.first())?.id, first.id)
  })

  test("accounts are listed newest first, in pages that neither skip nor repeat", async () => {
    const added = [await add("a"), await add("b"), await add("c")].map(({ id }) => id)
    const listed = (await readPages((page) => store.accounts.list(page))).map(({ id }) => id)
    assert.deepEqual(listed.slice(0, 3), added.toReversed())
    assert.equal(new Set(listed).size, listed.length)
  })

  test("a change affects the given fields only, and returns nothing for an unknown account", async () => {
    const { id } = await add("before")
    const change = (id: number, changes: object) => store.transaction((tx) => tx.accounts.change(id, changes))
    assert.deepEqual({ ...(await change(id, { name: "after" })) }, { id, name: "after", plan: "free" })
    assert.deepEqual({ ...(await change(id, { plan: "pro" })) }, { id, name: "after", plan: "pro" })
    assert.deepEqual({ ...(await store.accounts.read(id)) }, { id, name: "after", plan: "pro" })
    assert.equal(await change(id + 1000, { name: "unknown" }), undefined)
  })
}
