import assert from "node:assert/strict"
import { test } from "node:test"
import { petBytesMax } from "../core/domain/pets/contract.ts"
import { parseRecord, quoteField, readRecords } from "./csv-records.ts"

test("fields are separated, quoted or trimmed, and a missing value without quotes is empty", () => {
  for (const [text, fields] of [
    ["", [""]],
    ["a", ["a"]],
    ["a,b", ["a", "b"]],
    [",", ["", ""]],
    [" a b ,  c", ["a b", "c"]],
    ['"a,b"', ["a,b"]],
    ['"a ""b"""', ['a "b"']],
    ['""', [""]],
    ['""""', ['"']],
    ['  " a "  ,b', [" a ", "b"]],
    ['a,"b" ', ["a", "b"]],
    ['NULL,"NULL",N/A,#N/A,None,Nones', ["", "NULL", "", "", "", "Nones"]],
  ] as const)
    assert.deepEqual(parseRecord(text, ","), fields, text)
  assert.deepEqual(parseRecord("a;b,c;;d", ";"), ["a", "b,c", "", "d"])
  assert.deepEqual(parseRecord("\ta\t b", "\t"), ["", "a", "b"])
})

test("a quote that is not closed, inside a field or followed by text is invalid", () => {
  for (const text of ['"a', ',"a', 'a,b,"', 'a"b', 'a,b"', '"a"b', '"a" b,c', '"a""', 'x,"a"b'])
    assert.equal(parseRecord(text, ","), undefined, text)
})

test("a field is quoted when its text would not be read unchanged without quotes", () => {
  for (const text of ["a", "a b", "é|=", "Null", "#N/A!"]) assert.equal(quoteField(text), text)
  for (const text of ["a,b", "a;b", "a\r", "a\nb", "a\tb", " a", "a ", "\u00a0a", "NULL", "null", "\\N", "NaN", "nan"])
    assert.equal(quoteField(text), `"${text}"`)
  for (const text of ["N/A", "#N/A", "None"]) assert.equal(quoteField(text), `"${text}"`)
  assert.equal(quoteField('a"b'), '"a""b"')
})

async function read(text: string, size = 4096) {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const lines = await Array.fromAsync(readRecords(chunks()))
  return lines.map((line) => [line.number, line.bytes && Buffer.from(line.bytes).toString(), line.isUnended])
}

test("a record has the number of its first line, and its line breaks as they are", async () => {
  for (const size of [1, 3, 4096])
    assert.deepEqual(await read('a\r\n\n"b\nc\r\rd"\r"e"\n"f\ng', size), [
      [1, "a", false],
      [2, "", false],
      [3, '"b\nc\r\rd"', false],
      [7, '"e"', false],
      [8, '"f\ng', true],
    ])
  assert.deepEqual(await read('"a\n'), [[1, '"a', true]])
})

test("a record longer than any pet is skipped, and the next line starts a new one", async () => {
  const half = "x".repeat(petBytesMax / 2)
  assert.deepEqual(await read(`"${half}\n${half}\nb"\nc\n`, 65_536), [
    [1, undefined, false],
    [3, 'b"\nc', true],
  ])
  assert.deepEqual(await read(`"a\n${half}${half}x\nb\n`, 65_536), [
    [1, undefined, false],
    [3, "b", false],
  ])
  const whole = `"${"x".repeat(petBytesMax - 2)}"`
  assert.deepEqual(await read(`${whole}\n${whole}x\nb\n`, 65_536), [
    [1, whole, false],
    [2, undefined, false],
    [3, "b", false],
  ])
})
