import assert from "node:assert/strict"
import { test } from "node:test"
import { addAccount, type OpenStore, useStore } from "./samples.ts"

export function testLimits(open: OpenStore): void {
  const store = useStore(open)
  const cell = (accountId: number, minute: number, offsetsMs: number[]) => ({
    accountId,
    minute,
    count: offsetsMs.length,
    offsetsMs,
  })
  const put = (...cells: ReturnType<typeof cell>[]) => store.transaction((tx) => tx.limits.put(cells))
  const cells = async (accountId: number, from = 0) =>
    (await store.limits.cells(accountId, from)).map((found) => ({ ...found }))

  test("cells read back oldest first from a minute on, each replacing the one before, separately for each account", async () => {
    const [one, other] = [await addAccount(store), await addAccount(store)]
    await put(cell(one, 12, [5]), cell(one, 10, [1, 59_999]), cell(other, 10, [7]))
    await put(cell(one, 12, [5, 6]))
    assert.deepEqual(await cells(one), [cell(one, 10, [1, 59_999]), cell(one, 12, [5, 6])])
    assert.deepEqual(await cells(one, 11), [cell(one, 12, [5, 6])])
    assert.deepEqual(await cells(other), [cell(other, 10, [7])])
  })

  test("cells of later minutes are merged into one, at its end, and nothing counts twice", async () => {
    const [one, other] = [await addAccount(store), await addAccount(store)]
    await put(cell(one, 19, [1]), cell(one, 20, [2]), cell(one, 25, [3, 4]), cell(one, 99, [5]), cell(other, 20, [6]))
    for (let n = 0; n < 2; n++) {
      await store.transaction((tx) => tx.limits.moveBack(20))
      assert.deepEqual(await cells(one), [cell(one, 19, [1]), cell(one, 20, [59_999, 59_999, 59_999, 59_999])])
      assert.deepEqual(await cells(other), [cell(other, 20, [6])], "earlier cells are unchanged")
    }
  })

  test("merged cells keep their count, and as many moments as any plan allows in a minute", async () => {
    const id = await addAccount(store)
    await put({ ...cell(id, 30, [1]), count: 40_000 }, { ...cell(id, 31, [1]), count: 20_001 })
    await store.transaction((tx) => tx.limits.moveBack(30))
    const [merged, ...others] = await cells(id, 30)
    assert.deepEqual(
      { count: merged?.count, moments: merged?.offsetsMs.length, others },
      { count: 60_001, moments: 60_000, others: [] },
    )
  })

  test("cells are deleted by age, up to the given number", async () => {
    const id = await addAccount(store)
    await put(cell(id, 1, [1]), cell(id, 2, [1]), cell(id, 3, [1]), cell(id, 4, [1]))
    const prune = () => store.transaction((tx) => tx.limits.prune(4, 2))
    assert.deepEqual([await prune(), await prune(), await prune()], [2, 1, 0])
    assert.deepEqual(
      (await cells(id)).map(({ minute }) => minute),
      [4],
    )
  })
}
