import assert from "node:assert/strict"
import { Readable } from "node:stream"
import { test } from "node:test"
import fc from "fast-check"
import { petBytesMax } from "../core/domain/pets/contract.ts"
import { containsPets, readObjects } from "./json-objects.ts"
import { readPetFile } from "./read-pet-file.ts"

async function read(text: string, size = 4096) {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const { lines } = await readPetFile(chunks(), 1_000_000, {})
  const found = await Array.fromAsync(lines)
  return {
    pets: found.flatMap((each) => ("draft" in each ? [each.draft] : [])),
    refused: found.flatMap((each) => ("draft" in each ? [] : [[each.line.number, each.rejection.detail] as const])),
  }
}

const names = new Set(["name"])
const text = fc.string({ unit: fc.constantFrom(...'a"\\{}[],:é🐕\n '), maxLength: 8 }).map((each) => `x${each}`)
const pet = fc.record(
  {
    name: text,
    photoUrls: fc.constant([]),
    tags: fc.array(fc.record({ name: text }), { maxLength: 2 }),
    breeds: fc.array(fc.record({ pets: text }), { maxLength: 2 }),
  },
  { noNullPrototype: true },
)

test("objects are the same pets one a line, over several lines, concatenated, with commas, and in an array of an object (slow)", async () => {
  const others = fc.constantFrom({}, { total: 1, next: "pets" }, { codes: [1, "a"], owner: { pets: [{ a: 1 }] } })
  await fc.assert(
    fc.asyncProperty(
      fc.array(pet, { minLength: 1, maxLength: 4 }),
      others,
      fc.integer({ min: 1, max: 20 }),
      async (made, other, size) => {
        const pets = JSON.parse(JSON.stringify(made)) as typeof made
        const pretty = pets.map((each) => JSON.stringify(each, null, 2))
        const plain = pets.map((each) => JSON.stringify(each))
        for (const file of [
          plain.join("\n"),
          plain.join(""),
          plain.join(",\n"),
          plain.join("\r"),
          pretty.join("\n"),
          `\ufeff\n${pretty.join(",\r\n")}\n`,
          JSON.stringify({ ...other, pets }),
          JSON.stringify({ posts: [{ name: "no pet" }], pets, comments: [{}], ...other }, null, 1),
          JSON.stringify({ animals: pets, ...other }),
          JSON.stringify({ ...other, animals: pets }, null, "\t"),
        ])
          assert.deepEqual(await read(file, size), { pets, refused: [] }, file)
      },
    ),
    { numRuns: 30 },
  )
})

test("an object with several arrays of objects, none of them pets, is refused before anything is read (slow)", async () => {
  await assert.rejects(read('{"dogs":[{"name":"Rex"}],"cats":[{"name":"Mia"}]}'), /several collections: dogs, cats/)
  const elements = (count: number, bytes: number) => Array(count).fill(`{"name":"${"x".repeat(bytes - 11)}"}`)
  const dogs = (more: number) => `{"dogs":[${[...elements(1_023, 16_384), ...elements(1, 16_384 + more)]}]}`
  assert.equal((await read(dogs(0), 65_536)).refused.length, 1_024, "names are too long")
  await assert.rejects(read(dogs(1), 65_536), /the large collection "dogs": if it contains the pets, import it alone/)
  assert.equal((await read(dogs(1).replace("dogs", "pets"), 65_536)).refused.length, 1_024)
})

test("pets under keys of their own, and pets one or two levels down, are read in pieces of any size", async () => {
  const [rex, mia] = ['{"id":1,"name":"Rex","tags":[{"name":"a"}]}', '{"category":{"name":"Cats"},"name":"Mia"}']
  for (const [file, expected] of [
    [`{"-Nx1":${rex},"-Nx2":${mia}}`, ["Rex", "Mia"]],
    [`{"pets":{"-Nx1":${rex}}}`, ["Rex"]],
    [`{"pets":{"-Nx1":${rex},"-Nx2":${mia}},"users":{"a":{"name":"Ann"},"b":{"name":"Ben"}}}`, ["Rex", "Mia"]],
    [`{"data":{"pets":[${rex},${mia}]},"total":2}`, ["Rex", "Mia"]],
    [`{"ok":true,"_embedded":{"page":1,"animals":[${rex}]}}`, ["Rex"]],
    [`{"data":{"pets":{"nodes":[${rex},${mia}]}}}`, ["Rex", "Mia"]],
    [`{"data":{"owners":[{"x":[{"pets":1}]}],"pets":[${rex}]}}`, ["Rex"]],
    [`{"owner":{"pets":[${mia}]},"animals":[${rex}]}`, ["Rex"]],
    [`{"data":{"pets":[]}}`, []],
    [`{"pets":{}}`, []],
  ] as const)
    for (const text of [file, JSON.stringify(JSON.parse(file), null, 2)])
      for (const size of [1, 7, 4096]) {
        const { pets, refused } = await read(text, size)
        assert.deepEqual([pets.map(({ name }) => name), refused], [expected, []], text)
      }
  const { pets, refused } = await read(`{"a":${rex},\n"b":{"nme":"x"}}`)
  assert.deepEqual([pets.length, refused], [1, [[2, "name is required"]]])
  for (const text of [
    '{"error":{"name":"NotFound"}}',
    '{"category":{"name":"Dogs"}}',
    '{"id":1,"category":{"name":"x"}}',
  ])
    assert.deepEqual((await read(text)).refused, [[1, "name is required"]], text)
  await assert.rejects(read('{"a":{"dogs":[{}]},"b":{"cats":[{}]}}'), /several collections: a.dogs, b.cats/)
})

test("a member that is mapped to the name makes an object a pet", async () => {
  const pets = ['{"title":"Rex","visits":[{"name":"x"}]}', '{"visits":[{"name":"x"}],"title":"Mia"}']
  for (const text of [pets.join("\n"), pets.join("")]) {
    const options = { map: new Map([["title", "name"]] as const) }
    const { lines } = await readPetFile(Readable.from([Buffer.from(text)]), 9, options)
    assert.deepEqual(await Array.fromAsync(lines, (each) => ("draft" in each ? each.draft.name : "")), ["Rex", "Mia"])
  }
})

test("objects without pets, and elements that are none, are refused by their lines", async () => {
  assert.deepEqual((await read('{"pets":[]}')).refused, [])
  assert.deepEqual((await read("{}")).refused, [[1, "name is required"]])
  assert.deepEqual((await read('{\n"breeds":["a"],\n"dogs":[]\n}')).refused, [[1, "name is required"]])
  const { pets, refused } = await read('{"pets":[\n{"name":"Rex"},\n1,\n"a",\n[2],\n{"name":"Mia"} x,{"name":"Tom"}]}')
  assert.deepEqual(
    pets.map(({ name }) => name),
    ["Rex", "Tom"],
  )
  assert.deepEqual(
    refused.map(([line]) => line),
    [3, 4, 5, 6],
  )
})

test("a file that ends within an object is refused there, and the pets before it are read", async () => {
  for (const [file, complete, faults] of [
    ['{\n"name":"Rex"\n}\n{\n"name":"M', 1, 1],
    ['{"pets":[{"name":"Rex"},\n{"name":"M', 1, 2],
    ['{"pets":[\n{"name":"Rex"},\n', 1, 1],
    ['{"pets":[\n{"name":"Rex"}\n]', 1, 1],
    ['{"dogs":[\n{"name":"Rex"}\n', 0, 1],
  ] as const) {
    const { pets, refused } = await read(file, 5)
    assert.deepEqual([pets.length, refused.length], [complete, faults], file)
    assert.match(refused.at(-1)?.[1] ?? "", /not valid JSON.*the file ends in the middle of it/s, file)
  }
})

test("text between objects is refused with its line, and a pet that is too long by itself", async () => {
  const { pets, refused } = await read(
    `{\n"name":"Rex"}\nand\n{"name":"Mia"}}\n{"name":"${"x".repeat(petBytesMax)}"}\n{"name":"Tom"}`,
  )
  assert.deepEqual(
    pets.map(({ name }) => name),
    ["Rex", "Mia", "Tom"],
  )
  assert.deepEqual(
    refused.map(([line]) => line),
    [3, 4, 5],
  )
})

/** The objects of a text, as `line: text`; an exclamation mark for one that the file ends within. */
async function split(file: string, size: number): Promise<string[]> {
  const bytes = Buffer.from(file)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const lines = await Array.fromAsync(readObjects(chunks(), names))
  return lines.map(({ number, bytes: part, isUnended }) => {
    const words = part === undefined ? "too long" : Buffer.from(part).toString().trim()
    return `${number}: ${words}${isUnended ? "!" : ""}`
  })
}

test("objects, and the elements of their only array of objects, are split with their lines", async () => {
  for (const [file, expected] of [
    ['{"a":1}{"b":2}', ['1: {"a":1}', '1: {"b":2}']],
    ['\n{"a":{"b":[1]}},\n\n{"c":"}{"}', ['2: {"a":{"b":[1]}}', '4: {"c":"}{"}']],
    ['{"a":"\\"{"}\n{"b":"\\\\"}', ['1: {"a":"\\"{"}', '2: {"b":"\\\\"}']],
    ['{"dogs":[{"a":1},\n{"b":[1,{}]} ]}', ['1: {"a":1}', '2: {"b":[1,{}]}']],
    ['{"dogs":[\n{"a":1},{"b":2}],"n":1,"x":"y"}', ['2: {"a":1}', '2: {"b":2}']],
    ['{"codes":[1,{"a":1}]}', ['1: {"codes":[1,{"a":1}]}']],
    ['{"codes":["x",{"a":1}]}', ['1: {"codes":["x",{"a":1}]}']],
    ['{"codes":[[1],{"a":1}]}', ['1: {"codes":[[1],{"a":1}]}']],
    ['{"dogs":[{"a":1}1,{"b":2}]}', ['1: {"a":1}1', '1: {"b":2}']],
    ['{"codes":[],"dogs":[{"a":1}]}', ['1: {"a":1}']],
    ['{"name":"Rex","dogs":[{"a":1}]}', ['1: {"name":"Rex","dogs":[{"a":1}]}']],
    ['{"dogs":[{"a":1}],"name":"Rex"}', ['1: {"dogs":[{"a":1}],"name":"Rex"}']],
    ['{"x":"name","dogs":[{"a":1}]}', ['1: {"a":1}']],
    ['{"x":1,"name":1,"dogs":[{"a":1}]}', ['1: {"a":1}']],
    ['{"owner":{"name":"Ada"},"dogs":[{"a":1}]}', ['1: {"a":1}']],
    ['{"tags":[{"a":1}],"photoUrls":[{"b":1}]}', ['1: {"tags":[{"a":1}],"photoUrls":[{"b":1}]}']],
    ['{"cats":[{"a":1}],"pets":[1,\n{"b":2}],"dogs":[{"c":3}]}', ["1: 1", '2: {"b":2}']],
    ['{"pets":[{"a":1}]}{"name":"x"}{"dogs":[{"b":2}]}', ['1: {"a":1}', '1: {"name":"x"}', '1: {"b":2}']],
    ['{"owner":{"pets":[{"a":1}]}}', ['1: {"a":1}']],
    ['{"a":{"b":{"c":[{"a":1}]}}}', ['1: {"a":1}']],
    ['{"a":{"b":{"c":{"d":[{"a":1}]}}}}', ['1: {"a":{"b":{"c":{"d":[{"a":1}]}}}}']],
    ['{"":"","dogs":[{"a":1}]}', ['1: {"a":1}']],
    ["and\n{}", ["1: and", "2: {}"]],
    ["{}}{}", ["1: {}", "1: }", "1: {}"]],
    ["", []],
    [" ,\n", []],
    ['{"a":1', ['1: {"a":1!']],
    ["{}\nand", ["1: {}", "2: and!"]],
    ['{"pets":[{"a":1},\n{"b":', ['1: {"a":1}', '2: {"b":!', "2: !"]],
    ['{"dogs":[{"a":1},\n{"b":', ["2: !"]],
    ['{"dogs":[{"a":1}],\n"b":', ["2: !"]],
    ['{"dogs":[\n{"a":1', ["2: !"]],
    ['{"name":{"first":"Rex"},"dogs":[{"a":1}]}', ['1: {"a":1}']],
    ['{"pets":[{"a":1}],\n"b":', ['1: {"a":1}', "2: !"]],
  ] as const)
    for (const size of [1, 3, 4096]) assert.deepEqual(await split(file, size), expected, file)
})

test("objects are read while the file is", async () => {
  let chunksRead = 0
  async function* chunks() {
    for (const chunk of ['{"a":1}{"b', '":2}', "{}"]) {
      chunksRead++
      yield Buffer.from(chunk)
    }
  }
  const counts = []
  for await (const _ of readObjects(chunks(), names)) counts.push(chunksRead)
  assert.deepEqual(counts, [1, 2, 3])
})

test("an object of a line contains pets when it has a collection of them, and no name", () => {
  for (const [value, expected] of [
    [{}, false],
    [{ name: "Rex", dogs: [{}] }, false],
    [{ dogs: [{}] }, true],
    [{ codes: [1], dogs: [{}] }, true],
    [{ codes: [1], dogs: [] }, false],
    [{ dogs: [null] }, false],
    [{ dogs: [[]] }, false],
    [{ tags: [{}], photoUrls: [{}] }, false],
    [{ pets: 1, name: "Rex" }, false],
    [{ name: "Rex", pets: [] }, true],
    [{ dogs: { 0: {} } }, false],
  ] as const)
    assert.equal(containsPets(JSON.stringify(value), names), expected, JSON.stringify(value))
})
