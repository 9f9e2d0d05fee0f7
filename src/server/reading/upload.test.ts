import assert from "node:assert/strict"
import type { IncomingMessage } from "node:http"
import { PassThrough, Readable } from "node:stream"
import { test } from "node:test"
import { Type } from "../../kernel/schema/type.ts"
import { uploads } from "./upload.ts"

const Fields = Type.Object({ note: Type.Optional(Type.String({ maxLength: 3 })) })
const shape = { types: ["image/*", "text/csv"], bytesMax: 1_000, fields: Fields }

/** Uploads whose stages keep what is written; `dispose` is counted. */
function receiver() {
  const state = { staged: [] as number[], disposed: 0, written: [] as string[] }
  const stage = {
    path: "directory",
    async write(_: string, bytes: AsyncIterable<Uint8Array>) {
      state.written.push(`${Buffer.concat(await Array.fromAsync(bytes))}`)
      return "file"
    },
    async [Symbol.asyncDispose]() {
      state.disposed++
    },
  }
  const stages = {
    async stage(at: number) {
      state.staged.push(at)
      return stage
    },
  }
  const all = uploads(stages, { now: () => 77 })
  const start = (body: Readable, headers: Record<string, string>, account = 1) =>
    all.receive(
      {
        request: Object.assign(body, { headers }) as unknown as IncomingMessage,
        caller: { account: { id: account }, credential: { kind: "key", id: 1 } },
      },
      shape,
    )
  const send = (text: string, headers: Record<string, string> = { "content-type": "image/png" }) =>
    start(Readable.from([Buffer.from(text)]), headers).receive()
  return { state, all, start, send }
}

const form = { "content-type": "multipart/form-data; boundary=b" }
const part = (name: string, text: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`

test("a file is received bare or as a part of a form, with its fields", async () => {
  const { state, send } = receiver()
  const bare = { directory: "directory", file: "file", fields: {} }
  assert.deepEqual(await send("png"), bare)
  assert.deepEqual(await send("csv", { "content-type": "Text/CSV; charset=utf-8" }), bare)
  const text = `${part("note", "abc")}${part("other", "1")}${part("file", "form")}--b--\r\n`
  assert.deepEqual(await send(text, form), { ...bare, fields: { note: "abc" } })
  assert.deepEqual(
    [state.written, state.staged],
    [
      ["png", "csv", "form"],
      [77, 77, 77],
    ],
  )
})

test("a file of another type, or larger than permitted, is refused by its head", async () => {
  const { state, send } = receiver()
  for (const type of ["", "application/pdf", "text/plain", "text/*x"])
    await assert.rejects(send("a", { "content-type": type }), {
      code: "unsupported-media-type",
      detail: "Send Content-Type: image/* or text/csv or multipart/form-data",
    })
  const sized = (type: string, bytes: number) => send("a", { "content-type": type, "content-length": `${bytes}` })
  const formBytesMax = 1_000 + 64 * 1024
  await sized("image/png", 1_000)
  await assert.rejects(sized("image/png", 1_001), { code: "body-too-large" })
  await assert.rejects(sized(form["content-type"], formBytesMax), { code: "malformed-request" })
  await assert.rejects(sized(form["content-type"], formBytesMax + 1), { code: "body-too-large" })
  assert.equal(state.staged.length, 2)
})

test("a file is not empty, and a stream that turns out larger than permitted is refused", async () => {
  const { send } = receiver()
  await assert.rejects(send(""), {
    code: "invalid-body",
    detail: "The body is empty",
    violations: [{ pointer: "", code: "blank", detail: "must not be empty" }],
  })
  await assert.rejects(send("x".repeat(1_001)), { code: "body-too-large" })
})

test("fields are checked, and unknown ones refused for a strict request", async () => {
  const { send } = receiver()
  const long = `${part("note", "abcd")}${part("file", "a")}--b--\r\n`
  await assert.rejects(send(long, form), { code: "invalid-body", detail: "note must have 3 characters or fewer" })
  const unknown = `${part("other", "1")}${part("file", "a")}--b--\r\n`
  await assert.rejects(send(unknown, { ...form, prefer: "handling=strict" }), {
    code: "invalid-body",
    violations: [{ pointer: "/other", code: "unknown", detail: "is not a member" }],
  })
})

test("an account has 16 uploads at once, and all accounts 256", async () => {
  const { all, start, send } = receiver()
  const bodies: PassThrough[] = []
  const open = (account: number) => {
    const body = new PassThrough()
    const receiving = start(body, { "content-type": "image/png" }, account).receive()
    receiving.catch(() => undefined)
    bodies.push(body)
    return receiving
  }
  const refused = (detail: string) => ({ code: "unavailable", retryAfter: 5, detail })
  const first = open(1)
  for (let n = 1; n < 16; n++) void open(1)
  await assert.rejects(open(1), refused("Too many uploads of this account at once"))
  for (let n = 16; n < 256; n++) void open(n)
  assert.equal(all.underWay(), 256)
  await assert.rejects(open(1_000), refused("Too many uploads at once"))
  bodies[0]?.end("png")
  await first
  assert.equal(all.underWay(), 255)
  for (const body of bodies) body.destroy()
  await new Promise(setImmediate)
  await assert.rejects(send(""), { code: "invalid-body" })
  assert.equal(all.underWay(), 0)
})

test("what was received is removed at the end, and the rest of the body dropped", async () => {
  const { state, start } = receiver()
  const body = new PassThrough()
  const upload = start(body, { "content-type": "application/pdf" })
  await assert.rejects(upload.receive(), { code: "unsupported-media-type" })
  await upload[Symbol.asyncDispose]()
  assert.deepEqual([state.disposed, body.listenerCount("data")], [0, 1])
  body.destroy()
  const whole = start(Readable.from([Buffer.from("a")]), { "content-type": "image/png" })
  await whole.receive()
  await whole[Symbol.asyncDispose]()
  assert.equal(state.disposed, 1)
})
