import assert from "node:assert/strict"
import { test } from "node:test"
import type { IncomingUpload } from "../../server/exchange/exchange.ts"
import { pageUploads } from "./page-uploads.ts"
import type { Person } from "./visitor.ts"

test("a person has two files being read at a time, and the end of one releases it", async () => {
  const ended: number[] = []
  const receive = () =>
    ({
      receive: async () => ({ file: "file" }),
      [Symbol.asyncDispose]: async () => void ended.push(1),
    }) as unknown as IncomingUpload
  const open = pageUploads({ receive })
  const shape = {} as Parameters<typeof open>[1]
  const person = (id: number) => ({ caller: { user: { id } } }) as Person
  const first = open(person(1), shape)
  assert.deepEqual(await first.receive(), { file: "file" })
  open(person(1), shape)
  assert.throws(() => open(person(1), shape), {
    code: "unavailable",
    detail: "You have 2 files being read. Wait for one to end",
    retryAfter: 5,
  })
  open(person(2), shape)
  await first[Symbol.asyncDispose]()
  assert.deepEqual(ended, [1])
  open(person(1), shape)
  assert.throws(() => open(person(1), shape), { code: "unavailable" })
})
