import assert from "node:assert/strict"
import type { IncomingMessage } from "node:http"
import { PassThrough, Readable } from "node:stream"
import { test } from "node:test"
import type { Stage } from "../../kernel/flow/stage.ts"
import { closeSchema } from "../../kernel/schema/close-schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { formOverheadMax, receiveForm } from "./multipart.ts"

const Fields = Type.Object({ note: Type.Optional(Type.String()), count: Type.Optional(Type.Integer()) })
const shape = { types: [], bytesMax: 1_000, fields: Fields }
const headers = { "content-type": "multipart/form-data; boundary=b" }

const part = (name: string, text: string, more = "") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`
const file = (text: string, name = "file") => part(name, text, '; filename="a.png"')
const end = "--b--\r\n"

/** A stage that keeps what is written, and what has ended in an error. */
function stageOf() {
  const written: string[] = []
  const failed: unknown[] = []
  const stage: Pick<Stage, "write"> = {
    async write(name, bytes) {
      assert.equal(name, "upload")
      try {
        const all = await Array.fromAsync(bytes as AsyncIterable<Buffer>)
        written.push(`${Buffer.concat(all)}`)
        return `path-${written.length}`
      } catch (error) {
        failed.push(error)
        throw error
      }
    },
  }
  return { stage: stage as Stage, written, failed }
}

const requestOf = (body: Readable, its: object = headers) =>
  Object.assign(body, { headers: its }) as unknown as IncomingMessage

async function receive(text: string, more: Partial<typeof shape> = {}, its: object = headers) {
  const { stage, written } = stageOf()
  const received = await receiveForm(requestOf(Readable.from([Buffer.from(text)]), its), { ...shape, ...more }, stage)
  return { ...received, written }
}

test("the part file is written, and other parts are fields", async () => {
  assert.deepEqual(await receive(`${part("note", "é")}${file("png")}${part("count", "2")}${end}`), {
    file: "path-1",
    fields: { note: "é", count: 2 },
    written: ["png"],
  })
  assert.deepEqual((await receive(`${part("file", "png")}${end}`)).written, ["png"])
})

test("parts that the shape does not know are ignored, or left for a closed one to refuse", async () => {
  const text = `${file("other", "other")}${part("more", "1")}${file("note", "note")}${file("png")}${end}`
  assert.deepEqual(await receive(text), { file: "path-1", fields: {}, written: ["png"] })
  const closed = closeSchema(Fields) as typeof Fields
  assert.deepEqual((await receive(text, { fields: closed })).fields, { note: [["file"]], other: null, more: null })
  assert.deepEqual((await receive(`${file("png")}${end}`, { fields: closed })).fields, {})
})

const violates = (code: string, detail: string) => ({
  code: "invalid-body",
  violations: [{ pointer: "/file", code, detail }],
})

test("there is one file, and it is not empty", async () => {
  await assert.rejects(receive(part("note", "a") + end), violates("required", "is required: a part named file"))
  await assert.rejects(receive(file("a") + file("b") + end), violates("too-many", "must appear once"))
  await assert.rejects(receive(file("a") + file("b") + file("c") + end), violates("too-many", "must appear once"))
  await assert.rejects(receive(file("") + end), violates("blank", "must not be empty"))
  assert.deepEqual((await receive(file("a") + end)).written, ["a"])
})

test("a file has at most its permitted size, and a form 64 KiB more", async () => {
  const mebibyte = 1024 * 1024
  assert.equal((await receive(file("x".repeat(1_000)) + end)).written[0]?.length, 1_000)
  await assert.rejects(receive(file("x".repeat(1_001)) + end, { bytesMax: 1_000 }), { code: "body-too-large" })
  const around = `${file("a")}${end}`
  const padded = (bytes: number) => `${"x".repeat(bytes - around.length - 2)}\r\n${around}`
  assert.equal((await receive(padded(mebibyte + formOverheadMax), { bytesMax: mebibyte })).file, "path-1")
  await assert.rejects(receive(padded(mebibyte + formOverheadMax + 1), { bytesMax: mebibyte }), {
    code: "body-too-large",
  })
})

test("a form that is malformed, or ends early, is refused, and its file is not kept", async () => {
  const malformed = { code: "malformed-request", detail: /^The body is not valid multipart\/form-data: ./ }
  await assert.rejects(receive("", {}, { "content-type": "multipart/form-data" }), malformed)
  await assert.rejects(receive(part("note", "a")), malformed)
  await assert.rejects(receive(file("png").slice(0, -2)), malformed)
})

test("when the connection ends inside the file, the form is malformed and the file is not written", async () => {
  const { stage, written, failed } = stageOf()
  const body = new PassThrough()
  const receiving = receiveForm(requestOf(body), shape, stage)
  body.write(file("png").slice(0, -2))
  await new Promise(setImmediate)
  body.destroy(new Error("aborted"))
  const problem = { code: "malformed-request", detail: "The body ended before it was complete" }
  await assert.rejects(receiving, problem)
  assert.deepEqual([written, failed.length], [[], 1])
  assert.equal((failed[0] as typeof problem).code, problem.code)
})

test("when the file cannot be written, the rest is not read, and the error is that of writing", async () => {
  const full = Object.assign(new Error("full"), { code: "ENOSPC" })
  const write = async (_: string, bytes: AsyncIterable<Uint8Array>) => {
    for await (const _ of bytes) throw full
    return ""
  }
  const body = new PassThrough()
  body.write(file("png").slice(0, -2))
  const receiving = receiveForm(requestOf(body), shape, { write } as unknown as Stage)
  receiving.catch(() => undefined)
  await new Promise(setImmediate)
  body.write("more")
  await assert.rejects(receiving, full)
  body.destroy()
})
