import assert from "node:assert/strict"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { cannotListOpenFiles, countOpen } from "../../../../../test/harness/open-files.ts"
import { until } from "../../../../../test/harness/until.ts"
import type { UploadShape } from "../../../../kernel/endpoint/endpoint.ts"
import type { Markup } from "../../html.ts"
import type { Visit } from "../page.ts"
import { importPage } from "./import.ts"

type Sent = { action?: string; text?: string; fields?: object; refuses?: boolean }

/** Sends a file with the form; the parts of the page that follows, and what was done for it. */
async function send(t: TestContext, { action = "import", text = "name\nRex\n", fields = {}, refuses = false }: Sent) {
  const directory = mkdtempSync(join(tmpdir(), "import-"))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, "pets")
  writeFileSync(file, text)
  const added: object[] = []
  const shapes: UploadShape[] = []
  const call = {
    async addPet(request: object) {
      added.push(request)
      if (refuses) throw new Error("a bug")
      return { isReplayed: false }
    },
  }
  const visit = {
    call,
    root: "/console",
    path: "/pets/import",
    token: "T",
    countPage: async () => {},
    receive(shape: UploadShape) {
      shapes.push(shape)
      return { receive: async () => ({ file, fields }), [Symbol.asyncDispose]: async () => rmSync(file) }
    },
  } as unknown as Visit
  const run = async () => {
    const done = await importPage.actions?.[action]?.(visit, new URLSearchParams())
    assert.ok(done && "pieces" in done)
    const pieces: Markup[] = []
    const failure = await (async () => {
      for await (const piece of done.pieces) pieces.push(piece)
    })().catch((error: Error) => error.message)
    await done.release()
    return { pieces: pieces.map((piece) => piece.text), failure }
  }
  /** Ends before the page is read, as when the client has left. */
  const leave = async () => {
    const done = await importPage.actions?.[action]?.(visit, new URLSearchParams())
    assert.ok(done && "pieces" in done)
    await done.release()
  }
  return { run, leave, file, added, shapes, isReleased: () => !existsSync(file) }
}

const percentsIn = (pieces: readonly string[]) =>
  pieces.flatMap((piece) => /data-percent="(\d+)"/.exec(piece)?.[1] ?? []).map(Number)

test("an import reports each percent once, as far as the file was read", async (t) => {
  const lines = 9_000
  const text = `name\n${Array.from({ length: lines }, (_, n) => `Rex ${1000 + n}\n`).join("")}`
  const { run, added, isReleased } = await send(t, { text })
  const { pieces, failure } = await run()
  assert.equal(failure, undefined)
  const percents = percentsIn(pieces)
  const reads = Array.from({ length: Math.ceil(text.length / 16_384) }, (_, n) =>
    Math.floor((Math.min(text.length, (n + 1) * 16_384) / text.length) * 100),
  )
  assert.deepEqual(percents, [...new Set(percents)])
  assert.deepEqual(
    percents.filter((percent) => !reads.includes(percent)),
    [],
  )
  assert.ok(percents.length > 2)
  assert.equal(percents.at(-1), 100)
  assert.equal(added.length, lines)
  assert.match(pieces.at(-1) ?? "", /<dt>Pets added<\/dt><dd>9000<\/dd>.*<form/s)
  assert.equal(isReleased(), true)
})

test("the form chooses whether pets are imported again, and with new ids", async (t) => {
  const keyOf = async (fields: object) => {
    const { run, added } = await send(t, { text: "id,name\n7,Rex\n", fields })
    await run()
    const [{ body, idempotencyKey } = { body: { id: undefined } }] = added as {
      body: { id?: number }
      idempotencyKey?: string
    }[]
    return [body.id, /^console-import-(new-ids-)?/.exec(idempotencyKey ?? "")?.[0]]
  }
  assert.deepEqual(await keyOf({}), [7, "console-import-"])
  assert.deepEqual(await keyOf({ again: "yes" }), [7, undefined])
  assert.deepEqual(await keyOf({ newIds: "yes" }), [0, "console-import-new-ids-"])
  const { run, added } = await send(t, { action: "preview" })
  assert.match((await run()).pieces.at(-1) ?? "", /Preview: no pets were added/)
  assert.deepEqual(added, [])
})

test("a file has at most 32 MiB, and its fields have maximum lengths", async (t) => {
  const { run, shapes } = await send(t, {})
  await run()
  const text = (maxLength: number) => ({ type: "string", maxLength })
  assert.deepEqual(JSON.parse(JSON.stringify(shapes)), [
    {
      types: ["text/csv", "application/x-ndjson", "application/json"],
      bytesMax: 33_554_432,
      fields: {
        type: "object",
        properties: { newIds: text(8), again: text(8), map: text(20_000), columns: text(20_000) },
      },
    },
  ])
})

test("a file that cannot be read is released at once; of one that fails later, what was imported is shown", async (t) => {
  const wrong = await send(t, { fields: { map: "Race" } })
  await assert.rejects(wrong.run(), { code: "invalid-body" })
  assert.equal(wrong.isReleased(), true)
  const failing = await send(t, { refuses: true })
  const { pieces, failure } = await failing.run()
  assert.equal(failure, "a bug")
  assert.match(pieces.at(-1) ?? "", /^<section class="outcome">.*<dt>Pets added<\/dt><dd>0<\/dd>/s)
  assert.equal(failing.isReleased(), true)
})

test("a file is closed when the client has left before the page began", { skip: cannotListOpenFiles }, async (t) => {
  const { leave, file, isReleased } = await send(t, { text: "name\n".padEnd(1_000_000, "Rex\n") })
  await leave()
  assert.equal(isReleased(), true)
  await until(() => countOpen(`${file} (deleted)`) === 0, "the file is still open")
})
