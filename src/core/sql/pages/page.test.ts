import assert from "node:assert/strict"
import { test } from "node:test"
import { pageBytesMax } from "../../kernel/endpoint/page.ts"
import { type Chunk, type Find, readTextPage, rowsAtOnce } from "./page.ts"

/** A list of texts with these lengths, whose positions count from 1, and the calls that read it: position, limit, bytes. */
function listOf(lengths: readonly number[], ends?: number) {
  const texts = lengths.map((length, n) => String(n % 10).repeat(length))
  const calls: [number, number, number][] = []
  const find: Find<number> = (after, limit, bytesMax) => {
    calls.push([after, limit, bytesMax])
    const here = texts.slice(after, Math.min(after + limit, ends ?? texts.length))
    if (ends === after) return { items: "[]", count: 0, longest: 0, last: after + 1, more: 1, ends: true }
    const more = after + here.length < texts.length ? 1 : 0
    const longest = here.length === 0 ? null : Math.max(...here.map((text) => text.length))
    const items = `[${here.filter((text) => text.length <= bytesMax).join(",")}]`
    const last = here.length === 0 ? null : after + here.length
    return { items, count: here.length, longest, last, more } satisfies Chunk<number>
  }
  const page = async (limit: number, after = 0) => {
    calls.length = 0
    const { json, next } = await readTextPage(find, after, limit)
    return { count: json === "[]" ? 0 : json.slice(1, -1).split(",").length, next, json: json as string }
  }
  return { texts, page, calls }
}

const small = (count: number) => Array<number>(count).fill(1)

test("a page is read in stretches of a hundred pets, up to its limit or the end of the list", async () => {
  const { texts, page, calls } = listOf(small(350))
  const limits = () => calls.map(([after, limit]) => [after, limit])
  assert.equal(rowsAtOnce, 100)
  for (const [limit, after, expected] of [
    [1, 0, [[0, 1]]],
    [100, 0, [[0, 100]]],
    [
      101,
      0,
      [
        [0, 100],
        [100, 1],
      ],
    ],
    [
      250,
      20,
      [
        [20, 100],
        [120, 100],
        [220, 50],
      ],
    ],
    [
      1000,
      200,
      [
        [200, 100],
        [300, 100],
      ],
    ],
  ] as const) {
    const { json, next } = await page(limit, after)
    assert.equal(json, `[${texts.slice(after, after + limit).join(",")}]`)
    assert.equal(next, after + limit < 350 ? after + limit : undefined)
    assert.deepEqual(limits(), expected)
  }
  assert.deepEqual(await page(10, 350), { count: 0, next: undefined, json: "[]" })
})

test("a page that ends early continues after what was examined, also without a pet", async () => {
  const { page } = listOf(small(50), 30)
  assert.equal((await page(10, 25)).next, 31)
  assert.equal((await page(10, 25)).count, 5)
  assert.deepEqual(await page(10, 30), { count: 0, next: 31, json: "[]" })
})

test("a page ends before it would exceed its bytes, and is filled up to the last one", async () => {
  // Of each pet, its text and a comma or bracket; one bracket in addition.
  const each = 1023
  const fitting = Math.floor((pageBytesMax - 1) / (each + 1))
  const { page } = listOf(Array<number>(2 * fitting).fill(each))
  const first = await page(5000)
  assert.deepEqual([first.count, first.next], [fitting, fitting])
  assert.ok(first.json.length <= pageBytesMax)

  const whole = listOf([pageBytesMax - 2, 1])
  assert.deepEqual([(await whole.page(10)).count, (await whole.page(10)).next], [1, 1])
  const both = listOf([pageBytesMax - 4, 1])
  assert.deepEqual([(await both.page(10)).json.length, (await both.page(10)).next], [pageBytesMax, undefined])
  const neither = listOf([pageBytesMax - 3, 1])
  assert.equal((await neither.page(10)).next, 1)
})

test("no text is read that might not fit: the longest one determines the length of a stretch", async () => {
  const half = Math.floor(pageBytesMax / 2)
  const { page, calls } = listOf([...small(90), half, half, ...small(10)])
  const first = await page(200)
  assert.deepEqual([first.count, first.next], [91, 91])
  for (const [, limit, bytesMax] of calls) assert.ok(limit * (bytesMax + 1) <= pageBytesMax, `${limit} × ${bytesMax}`)
  assert.ok(calls.length < 30, `${calls.length} calls`)
})
