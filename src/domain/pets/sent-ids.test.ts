import assert from "node:assert/strict"
import { test } from "node:test"
import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { json } from "../../kernel/json/json.ts"
import type { AnyInput, AnyOperation } from "../context.ts"
import type { Pet } from "./contract.ts"
import { keepSentIds, listSentIds, showSentIds } from "./sent-ids.ts"
import type { SentIds } from "./store.ts"

const pet: Pet = {
  id: 5,
  name: "Rex",
  photoUrls: [],
  status: "available",
  category: { id: 1, name: "Dogs" },
  tags: [
    { id: 2, name: "calm" },
    { id: 3, name: "shy" },
  ],
}
const response = (value: Pet) => new JsonResponse(json(value), { etag: '"a"' })

/** Runs an operation where a client of v2 has sent these ids before; `kept` are those that it sends now. */
async function run(operation: AnyOperation, input: Partial<AnyInput>, sent: Record<number, SentIds> = {}) {
  const kept: unknown[] = []
  const pets = {
    sentIds: async (ids: number[]) => new Map(ids.flatMap((id) => (sent[id] ? [[id, sent[id]] as const] : []))),
    keepSentIds: async (id: number, ids: SentIds) => void kept.push(id, ids),
  }
  const store = { pets, transaction: (work: (tx: object) => Promise<unknown>) => work({ pets }) }
  const context = { store } as unknown as Parameters<AnyOperation>[0]
  const outcome = await operation(context, {
    params: {},
    query: {},
    body: {},
    upload: undefined,
    page: undefined,
    ...input,
  })
  const { json: text, etag, next } = outcome as JsonResponse<unknown>
  return { shown: JSON.parse(text), etag, next, kept }
}

const withIds = (category: number, ...tags: [number, number]) => ({
  ...pet,
  category: { id: category, name: "Dogs" },
  tags: pet.tags.map((tag, n) => ({ ...tag, id: tags[n] as number })),
})

test("a saved pet has the ids that were sent inside it, and those are kept", async () => {
  const save = keepSentIds(async () => response(pet))
  const body = { category: { id: 10, name: "Dogs", more: 1 }, tags: [{ name: "calm" }, { id: 30, name: "shy" }] }
  assert.deepEqual(await run(save, { body }), {
    shown: withIds(10, 2, 30),
    etag: undefined,
    next: undefined,
    kept: [5, { category: { id: 10, name: "Dogs" }, tags: [{ id: 30, name: "shy" }] }],
  })
  const zero = await run(save, { body: { category: { id: 0, name: "Dogs" } } })
  assert.deepEqual([zero.shown, zero.kept], [withIds(0, 2, 3), [5, { category: { id: 0, name: "Dogs" }, tags: [] }]])
  const none = await run(save, { body: { category: { name: "Dogs" }, tags: [{ name: "calm" }] } })
  assert.deepEqual([none.shown, none.etag, none.kept], [pet, '"a"', [5, { tags: [] }]])
})

test("a pet that is read has the ids that were sent with it, and its entity tag without them", async () => {
  const input = { params: { petId: 5 } }
  const sent: SentIds = { category: { id: 10, name: "Dogs" }, tags: [{ id: 20, name: "calm" }] }
  for (const read of [() => response(pet), async () => response(pet)]) {
    const own = await run(showSentIds(read), input, { 5: sent })
    assert.deepEqual([own.shown, own.etag], [withIds(10, 20, 3), undefined])
    const other = await run(showSentIds(read), input, { 6: sent })
    assert.deepEqual([other.shown, other.etag], [pet, '"a"'])
  }
  const renamed: SentIds = { category: { id: 10, name: "Cats" }, tags: [{ id: 20, name: "wild" }] }
  const later = await run(
    showSentIds(() => response(pet)),
    input,
    { 5: renamed },
  )
  assert.deepEqual([later.shown, later.etag], [pet, '"a"'], "a label that it got later has the id of v3")
  const { category: _, ...bare } = pet
  const without = await run(
    showSentIds(() => response({ ...bare, id: 5 })),
    input,
    { 5: sent },
  )
  assert.equal("category" in without.shown, false)
})

test("each pet of a list has its own", async () => {
  const list = listSentIds(async () => ({ json: json([pet, { ...pet, id: 6 }]), next: 7 }))
  const sent: SentIds = { tags: [{ id: 20, name: "calm" }] }
  const { shown, next } = await run(list, {}, { 6: sent })
  assert.deepEqual([shown, next], [[pet, { ...withIds(1, 20, 3), id: 6 }], 7])
  assert.deepEqual((await run(list, {})).shown, [pet, { ...pet, id: 6 }])
})
