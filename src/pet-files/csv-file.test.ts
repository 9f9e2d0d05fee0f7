import assert from "node:assert/strict"
import { test } from "node:test"
import { petBytesMax } from "../core/domain/pets/contract.ts"
import { Problem } from "../core/kernel/problem.ts"
import { openCsv } from "./csv-file.ts"
import type { ReadOptions } from "./read-options.ts"

async function* chunksOf(text: string | Uint8Array) {
  yield Buffer.from(text)
}

/** The columns of a file, and its lines as names, rejections or blanks. */
async function open(text: string | Uint8Array, options: ReadOptions = {}) {
  const { columns, lines, read } = await openCsv(chunksOf(text), options)
  const found = []
  for await (const line of lines) {
    const content = read(line)
    const words = "blank" in content ? "blank" : "draft" in content ? content.draft.name : content.rejection.detail
    found.push(`${line.number} ${words}`)
  }
  return { columns: columns?.map(({ title, column }) => `${title}=${column ?? ""}`), found }
}
const refused = (text: string, options?: ReadOptions) =>
  open(text, options).then(
    () => "read",
    (error) => (error instanceof Problem ? error.detail : error),
  )

test("the separator is the most frequent one outside quotes in the first line, or as it is declared", async () => {
  for (const [text, columns] of [
    ["name", ["name=name"]],
    ["name,id", ["name=name", "id=id"]],
    ["name;id", ["name=name", "id=id"]],
    ["name\tid", ["name=name", "id=id"]],
    ["name|id", ["name=name", "id=id"]],
    ['name;"a,b,c"', ["name=name", "a,b,c="]],
    ["name,a;b", ["name=name", "a;b="]],
    ["sep=|\nname|a,b,c", ["name=name", "a,b,c="]],
    ['"sep=;"\nname;id', ["name=name", "id=id"]],
    ["\ufeffsep=,\n\nname,id", ["name=name", "id=id"]],
    ["sep=\t\nname\tid", ["name=name", "id=id"]],
    ["sep=:,name", ["sep=:=", "name=name"]],
  ] as const)
    assert.deepEqual((await open(text)).columns, columns, text)
})

test("a line is a pet, blank or rejected", async () => {
  const rows = ["Rex,1", "", " ,;|\t", '"",', "Mia,2,,", "Tom,3,x", 'a"b"c,1', "Sam", "Id,x"]
  const { found } = await open(`name,id\n${rows.join("\n")}\n`)
  assert.deepEqual(found, [
    "2 Rex",
    "3 blank",
    "4 blank",
    "5 blank",
    "6 Mia",
    "7 The line has 3 fields, but there are 2 columns",
    "8 The line has an unclosed quote, or one inside a field",
    "9 Sam",
    `10 ${found.at(-1)?.slice(3)}`,
  ])
  assert.match(found.at(-1) ?? "", /^10 id must be /)
  const torn = await open(Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x0a, 0xff, 0x0a]))
  assert.deepEqual(torn.found, ["2 The line is not UTF-8"])
  assert.deepEqual((await open(`name\n${"x".repeat(petBytesMax + 1)}\nRex`)).found, [
    `2 The line is longer than ${petBytesMax} bytes`,
    "3 Rex",
  ])
})

test("titles that are given are those of a file whose first line is a pet", async () => {
  const { columns, found } = await open("Rex,Dogs\nMia,Cats\n", { titles: ["name", "kind"] })
  assert.deepEqual(
    [columns, found],
    [
      ["name=name", "kind=category"],
      ["1 Rex", "2 Mia"],
    ],
  )
  assert.deepEqual((await open("", { titles: ["name"] })).found, [])
  assert.equal(await refused("Rex", { titles: ["animal"] }), "The file needs a column name among those that you name")
  assert.equal(
    await refused("Name,kind", { titles: ["name", "kind"] }),
    "The file has column names in its first line; map them, or remove the line, instead of naming the columns",
  )
})

test("a file without a name, or without a title that is mapped, is refused with what it has", async () => {
  const must = "The file must be NDJSON, a JSON array, or CSV with column names in the first line, including name"
  const advice = "If that is a pet, name the columns; if it has titles, map one to name"
  assert.equal(await refused(""), `${must}. ${advice}`)
  assert.equal(await refused("\n \n"), `${must}. ${advice}`)
  assert.equal(await refused('a\u001b,"b'), `${must}. Its first line is "a\\u001b,\\"b". ${advice}`)
  const long = "x".repeat(81)
  assert.equal(await refused(long), `${must}. Its first line is "${"x".repeat(80)}". ${advice}`)
  const map = new Map([["kind", "category"]] as const)
  assert.equal(await refused("name,a\u001b", { map }), 'The file has no column "kind"; its columns are name, a\\u001b')
  assert.deepEqual((await open("name, kind ", { map })).columns, ["name=name", "kind=category"])
})

test("the separator of tags is that of the first 1,000 records or 256 KiB, and a column of others has none", async () => {
  const rows = async (...records: string[]) => {
    const { columns } = await openCsv(chunksOf(`name,tags\n${records.join("\n")}\n`), {})
    return columns
  }
  const mapped = (separator: string | undefined) => [
    { title: "name", column: "name" },
    { title: "tags", column: "tags", separator },
  ]
  const [one, two] = ["a,b", "a,b;c"]
  assert.deepEqual(await rows(...Array(999).fill(one), two), mapped(";"))
  assert.deepEqual(await rows(...Array(1_000).fill(one), two), mapped(undefined))
  const padded = (bytes: number) => `a,${"x".repeat(bytes - 2)}`
  const before = Array(7).fill(padded(32 * 1024))
  assert.deepEqual(await rows(...before, padded(32 * 1024 - 1), two), mapped(";"))
  assert.deepEqual(await rows(...before, padded(32 * 1024), two), mapped(undefined))
})
