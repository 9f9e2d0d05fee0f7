import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../../../kernel/problem.ts"
import type { Visit } from "../page.ts"
import { exportPage } from "./export.ts"

const pet = (id: number, name: string) => ({ id, name, status: "available", tags: [], photoUrls: [] })

/** Opens the export with a query, of a service that has these pages of pets; notes what is done for it. */
function open(query: string, pages: readonly object[][] = [[]], problem?: Problem) {
  const done: unknown[] = []
  const call = {
    async listPetRecords({ query }: { query: { cursor?: string } }) {
      done.push(query)
      if (problem) throw problem
      const at = Number(query.cursor ?? 0)
      return { value: pages[at], next: at + 1 < pages.length ? String(at + 1) : undefined }
    },
  }
  const visit = {
    call,
    query: new URLSearchParams(query),
    root: "/console",
    path: "/pets/export",
    startDownload: async () => void done.push("start"),
    countPage: async () => void done.push("count"),
  } as unknown as Visit
  const download = () => exportPage.download?.(visit)
  const read = async () => {
    const file = await download()
    return file && { name: file.name, type: file.type, pieces: await Array.fromAsync(file.text) }
  }
  return { done, download, read, show: async () => (await exportPage.show(visit)).text }
}

test("pages of pets are written one after the other, and each further one is counted", async () => {
  const { done, read } = open("format=ndjson&status=sold&tag=", [[pet(1, "Rex"), pet(2, "Ada")], [pet(3, "Kim")], []])
  const file = await read()
  assert.deepEqual([file?.name, file?.type], ["pets.ndjson", "application/x-ndjson"])
  const lines = file?.pieces.join("").trimEnd().split("\n") ?? []
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).name),
    ["Rex", "Ada", "Kim"],
  )
  const filters = { status: "sold", sort: "id" }
  assert.deepEqual(done, [
    { ...filters, limit: 1 },
    "start",
    { ...filters, limit: 1000 },
    "count",
    { ...filters, limit: 1000, cursor: "1" },
    "count",
    { ...filters, limit: 1000, cursor: "2" },
  ])
})

test("a file of several pieces has each pet once, with the titles of CSV before them", async () => {
  const names = Array.from({ length: 8 }, (_, n) => `${n}`.repeat(20_000))
  const { read, done } = open("format=&name=a", [names.map((name, n) => pet(n, name))])
  const file = await read()
  assert.deepEqual([file?.name, file?.type], ["pets.csv", "text/csv"])
  assert.ok((file?.pieces.length ?? 0) > 1)
  const [titles, ...rows] = file?.pieces.join("").trimEnd().split("\r\n") ?? []
  assert.match(titles ?? "", /name/)
  assert.deepEqual(
    rows.map((row) => names.findIndex((name) => row.includes(name))),
    [0, 1, 2, 3, 4, 5, 6, 7],
  )
  assert.deepEqual(done.slice(0, 2), [{ name: "a", sort: "name", limit: 1 }, "start"])
})

test("without a format there is a form; a search that is refused downloads nothing and is explained", async () => {
  const form = open("")
  assert.equal(await form.read(), undefined)
  assert.doesNotMatch(await form.show(), /class="error"/)
  assert.deepEqual(form.done, [])

  const violations = [{ parameter: "name", code: "excluded", detail: "cannot be combined with tag" }]
  const refused = open("format=&name=a&tag=b", [[]], new Problem("invalid-parameter", "No", { violations }))
  assert.equal(await refused.read(), undefined)
  assert.match(await refused.show(), /id="name-error" role="alert">This cannot be combined with tag\./)
  assert.equal(refused.done.includes("start"), false)

  const broken = open("format=", [[]], new Problem("unavailable", "No"))
  await assert.rejects(async () => broken.download(), { code: "unavailable" })
  await assert.rejects(async () => broken.show(), { code: "unavailable" })
})
