import assert from "node:assert/strict"
import { describe, test } from "node:test"
import fc from "fast-check"
import { type Pet, petBytesMax } from "../core/domain/pets/contract.ts"
import { csvColumns, csvLine, petToCsv } from "./csv-columns.ts"
import type { ReadOptions } from "./read-options.ts"
import { readPetFile } from "./read-pet-file.ts"

async function read(text: string | Uint8Array, size = 7, linesMax = 1_000, options: ReadOptions = {}) {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const { columns, lines } = await readPetFile(chunks(), linesMax, options)
  const found = await Array.fromAsync(lines)
  return {
    columns,
    pets: found.flatMap((each) => ("draft" in each ? [each.draft] : [])),
    refused: found.flatMap((each) => ("draft" in each ? [] : [[each.line.number, each.rejection.detail] as const])),
  }
}

describe("a CSV file of pets", () => {
  test("that was exported is read as the same pets with any content", async () => {
    const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(..."a\";,|=+-@'é🐕 \t") })
    const name = word.filter((text) => text.trim() !== "")
    const item = name.map((text) => text.trim())
    // fc.webUrl() takes a second to prepare.
    const path = fc.string({ unit: fc.constantFrom("%2C", ..."aZ09-._~!$&'()*+,;=:@/?") })
    const pet = fc.record({
      id: fc.integer({ min: 1 }),
      name,
      category: fc.option(
        name.map((each) => ({ id: 1, name: each })),
        { nil: undefined },
      ),
      status: fc.constantFrom("available" as const, "sold" as const),
      tags: fc.array(
        item.map((each) => ({ id: 1, name: each })),
        { maxLength: 3 },
      ),
      photoUrls: fc.array(
        path.map((text) => `https://example.com/${text}`),
        { maxLength: 2 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(pet, { maxLength: 5 }), fc.integer({ min: 1, max: 99 }), async (pets, size) => {
        const text = `\ufeff${csvLine(csvColumns)}${pets.map((each) => petToCsv(each as Pet)).join("")}`
        const { pets: found, refused } = await read(text, size)
        assert.deepEqual(refused, [])
        assert.deepEqual(found, pets.map(withoutLabelIds))
      }),
      { numRuns: 60 },
    )
  })

  const withoutLabelIds = ({
    category,
    tags,
    ...pet
  }: {
    category: { name: string } | undefined
    tags: { name: string }[]
  }) => ({
    ...pet,
    ...(category && { category: { name: category.name } }),
    tags: tags.map((tag) => ({ name: tag.name })),
  })

  test("that was exported contains no formula of any spreadsheet, and is read unchanged", async () => {
    const names = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"].flatMap((start) => [
      `${start}1+2`,
      `'${start}1+2`,
    ])
    const lines = names.map((name) => csvLine([name]))
    for (const line of lines) assert.match(line, /^"?'/)
    const { pets } = await read(`name\r\n${lines.join("")}`)
    assert.deepEqual(
      pets.map(({ name }) => name),
      names,
    )
  })

  test("is read with other separators and titles, and unknown columns are ignored", async () => {
    const { columns, pets } = await read(
      "Photo URLs;NAME;colour;Tag;Name\r\n/a.jpg|/b.jpg;Rex;red;big|brown;no\r\n\r\n;Mia;;;",
    )
    assert.deepEqual(
      columns?.map(({ column }) => column),
      ["photoUrls", "name", undefined, "tags", undefined],
    )
    assert.deepEqual(pets, [
      { name: "Rex", photoUrls: ["/a.jpg", "/b.jpg"], tags: [{ name: "big" }, { name: "brown" }] },
      { name: "Mia", photoUrls: [], tags: [] },
    ])
  })

  test("is read with any line end, also one that differs between the first line and the others", async () => {
    const lines = ["name;tags", 'Rex;"a\rb\nc"', "", '"Mia";', "Tom;x"]
    const expected = [
      { name: "Rex", photoUrls: [], tags: [{ name: "a\rb" }, { name: "c" }] },
      { name: "Mia", photoUrls: [], tags: [] },
      { name: "Tom", photoUrls: [], tags: [{ name: "x" }] },
    ]
    for (const [first, others] of ["\r\r", "\n\n", "\n\r", "\r\n"].map((ends) => [...ends] as [string, string]))
      for (const size of [1, 2, 3, 7, 99]) {
        const [head, ...rest] = lines
        const ended = await read(`${head}${first}${rest.map((line) => `${line}${others}`).join("")}`, size)
        assert.deepEqual(ended.pets, expected)
        assert.deepEqual((await read(lines.join(others), size)).pets, expected)
        assert.deepEqual((await read(`${lines.join("\r\n")}\r\n`, size)).pets, expected)
      }
    const { refused } = await read("name,id\rRex,x\r\rMia,y\r", 4)
    assert.deepEqual(
      refused.map(([line]) => line),
      [2, 4],
    )
  })

  test("has spaces around fields ignored, unless they are quoted", async () => {
    const { pets, refused } = await read(
      'name, "category" ,status\n Rex , Big Dogs, sold\n" Mia ", "Cats" ,"available "\nTom, a "b" ,\n',
    )
    assert.deepEqual(pets, [
      { name: "Rex", photoUrls: [], category: { name: "Big Dogs" }, status: "sold" },
      { name: " Mia ", photoUrls: [], category: { name: "Cats" }, status: "available" },
    ])
    assert.deepEqual(refused, [[4, "The line has an unclosed quote, or one inside a field"]])
    assert.deepEqual((await read("category\tname\n\t Rex\n", 99)).pets, [{ name: "Rex", photoUrls: [] }])
  })

  test("may have rows that are shorter, have empty cells at the end, or only empty cells", async () => {
    const { pets, refused } = await read(
      'name,category,status\nRex,Dogs,sold,\nMia\n,\n,,,,\n;\n"",""\nNULL,,\nTom,Cats,,x\nSam,,, ,""\n',
    )
    assert.deepEqual(pets, [
      { name: "Rex", photoUrls: [], category: { name: "Dogs" }, status: "sold" },
      { name: "Mia", photoUrls: [] },
      { name: "Sam", photoUrls: [] },
    ])
    assert.deepEqual(refused, [[9, "The line has 4 fields, but there are 3 columns"]])
  })

  test("has markers of missing values read as empty, unless they are quoted, as the export does", async () => {
    const { pets } = await read(
      'name,category,status,tags,photoUrls\nRex,NULL,\\N,NaN,N/A\nMia,None,null,#N/A,nan\nTom,"NULL",,"None",\n',
    )
    assert.deepEqual(pets, [
      { name: "Rex", photoUrls: [], tags: [] },
      { name: "Mia", photoUrls: [], tags: [] },
      { name: "Tom", photoUrls: [], tags: [{ name: "None" }], category: { name: "NULL" } },
    ])
    assert.equal(csvLine(["NULL", "Null", "\\N", " a", "b"]), '"NULL",Null,"\\N"," a",b\r\n')
  })

  test("has the exact title of a column preferred to a similar one, and titles of other programs known", async () => {
    const mapped = async (titles: string) =>
      (await read(`${titles}\n`)).columns?.map(({ column }) => column ?? "-").join()
    for (const [titles, expected] of [
      ["Name (2),name,ID №,id", "-,name,-,id"],
      ["name_2,NAME", "-,name"],
      ["Pet Name,name,Name", "-,name,-"],
      ["имя,name", "-,name"],
      ["\u200bname\u00a0, photo_urls ", "name,photoUrls"],
      ["type,category,name", "-,category,name"],
      ["species,type,name", "category,-,name"],
      ["animalId,Animal Name,animalType,img", "-,name,category,photoUrls"],
      ["name,Species Name,picture,Pet Status", "name,category,photoUrls,status"],
      ["name,kind,image,constructor,__proto__", "name,category,photoUrls,-,-"],
    ] as const)
      assert.equal(await mapped(titles), expected, titles)
  })

  test("may start with blank lines or with the separator, and may be separated by bars", async () => {
    for (const text of [
      "\n\nname;id\nRex;7",
      "sep=;\r\nname;id\r\nRex;7",
      "\ufeffsep=;\rname;id\rRex;7",
      "name|id\nRex|7",
    ])
      assert.deepEqual((await read(text, 99)).pets, [{ name: "Rex", photoUrls: [], id: 7 }], text)
  })

  test("has tags split by the separator that their column uses, and JSON arrays read", async () => {
    const tagsOf = async (...fields: string[]) => {
      const { pets, columns } = await read(
        `name,tags\n${fields.map((field) => csvLine(["Rex", field])).join("")}`,
        99,
        9_000,
      )
      return { separator: columns?.[1]?.separator, tags: pets.map(({ tags }) => tags?.map(({ name }) => name)) }
    }
    assert.deepEqual(await tagsOf("big;calm", "shy, old"), { separator: ";", tags: [["big", "calm"], ["shy, old"]] })
    assert.deepEqual(await tagsOf("shy, old", "x"), { separator: ",", tags: [["shy", "old"], ["x"]] })
    assert.deepEqual(await tagsOf("a, b;c", "x|y"), { separator: "|", tags: [["a, b;c"], ["x", "y"]] })
    assert.deepEqual(await tagsOf("a\tb"), { separator: "\t", tags: [["a", "b"]] })
    assert.deepEqual(await tagsOf('["big","a;b", 7]', '[{"id":1,"name":"calm"}]', "[]", "b; c\n"), {
      separator: undefined,
      tags: [["big", "a;b", "7"], ["calm"], [], ["b; c"]],
    })
    const late = await tagsOf(...Array(1_500).fill("one"), "big;calm", "['a','b']", "{a,b}", "[true]")
    assert.deepEqual([late.separator, late.tags.length, late.tags.at(-1)], [undefined, 1_501, ["big", "calm"]])
  })

  test("has photo URLs separated, but never within one", async () => {
    for (const [text, expected] of [
      ["https://a.example/1.jpg, https://a.example/2.jpg", ["https://a.example/1.jpg", "https://a.example/2.jpg"]],
      ["https://a.example/1;https://a.example/2", ["https://a.example/1", "https://a.example/2"]],
      ["https://a.example/w_1,h_2;q/1.jpg,2.jpg", ["https://a.example/w_1,h_2;q/1.jpg,2.jpg"]],
      ["a.jpg;b.PNG", ["a.jpg", "b.PNG"]],
      ["a.jpg,fit=1", ["a.jpg,fit=1"]],
      ['["a,b.jpg","/c.jpg"]', ["a,b.jpg", "/c.jpg"]],
      ["a.jpg|b,c.jpg", ["a.jpg", "b,c.jpg"]],
    ] as const)
      assert.deepEqual((await read(`name,photos\n${csvLine(["Rex", text])}`, 99)).pets[0]?.photoUrls, expected, text)
  })

  test("that was exported has the same lists, also when an item contains a separator or looks like a list", async () => {
    const lists = [["black, white"], ["a;b"], ["[1]"], ["{x}"], ["[a", "b]"], ["a|b", "c"], ["big", "calm"], ["x\ty"]]
    const pets = lists.map(
      (list): Pet => ({
        id: 1,
        name: "Rex",
        photoUrls: [],
        status: "sold",
        tags: list.map((name) => ({ id: 1, name })),
      }),
    )
    const { pets: found } = await read(`${csvLine(csvColumns)}${pets.map((each) => petToCsv(each)).join("")}`, 99)
    assert.deepEqual(
      found.map(({ tags }) => tags?.map(({ name }) => name)),
      lists,
    )
  })

  test("has invalid lines refused by their numbers, and the others read", async () => {
    const long = `"${"x".repeat(petBytesMax)}"`
    const { pets, refused } = await read(
      `name,id\nRex,\n"two\nlines",x\na,b,c\nin"side",1\n${long},1\nMia,7\n"open,1`,
      4096,
    )
    assert.deepEqual(pets, [
      { name: "Rex", photoUrls: [] },
      { name: "Mia", photoUrls: [], id: 7 },
    ])
    assert.deepEqual(
      refused.map(([line]) => line),
      [3, 5, 6, 7, 9],
    )
    assert.match(
      refused.map(([, detail]) => detail).join("\n"),
      /id must be.*\n.*3 fields.*\n.*quote.*\n.*longer.*\n.*quote/,
    )
  })

  test("without a name column is refused", async () => {
    for (const text of ["a,b\n1,2", "no pets at all", "\u0001\u0002"])
      await assert.rejects(read(text), /must be NDJSON, a JSON array, or CSV with column names in the first line/)
  })
})

test("a file with more than 100 columns, or with more than the allowed lines including blank ones, is refused", async () => {
  const titles = (count: number) => ["name", ...Array.from({ length: count - 1 }, (_, n) => `c${n}`)].join()
  assert.equal((await read(`${titles(100)}\nRex${",".repeat(99)}`)).pets.length, 1)
  await assert.rejects(read(titles(101)), /The file has 101 columns; the maximum is 100/)
  await assert.rejects(read(titles(20_000), 4096), /The file has 20000 columns/)
  assert.equal((await read("name\nRex\n\n", 7, 2)).pets.length, 1)
  for (const text of ["name\nRex\n\n\n", '{"name":"Rex","photoUrls":[]}\n\n\n', "[1,2,3]"])
    await assert.rejects(read(text, 7, 2), /A file may have 2 lines, including blank ones/)
})

test("reading yields to other work, even when it never waits (slow)", async () => {
  for (const text of [`{}\n${"\n".repeat(50_000)}`, `name\n${",\n".repeat(10_000)}`, `[${"1,".repeat(10_000)}1]`]) {
    let turns = 0
    let isOver = false
    const take = () => {
      turns++
      if (!isOver) setImmediate(take)
    }
    setImmediate(take)
    await read(text, text.length, 1_000_000)
    isOver = true
    assert.ok(turns > 1, `${turns} turns`)
  }
})

test("a file of JSON objects is recognized, also with a byte order mark", async () => {
  const { columns, pets, refused } = await read('\ufeff{"name":"Rex","photoUrls":[]}\n\n[]\n')
  assert.deepEqual(
    { columns, pets, refused: refused.length },
    { columns: undefined, pets: [{ name: "Rex", photoUrls: [] }], refused: 1 },
  )
})

test("with new ids, ids that the service would refuse are ignored in each format, and other faults are not", async () => {
  const ids = ["A100001", "1.0", "-5", "9007199254740993", "7f1c-uuid", "[]"]
  for (const text of [
    `id,name\n${ids.map((id) => `${id},Rex`).join("\n")}`,
    ids.map((id) => JSON.stringify({ id, name: "Rex", photoUrls: [] })).join("\n"),
    `[${["-5", "1.5", "9007199254740993", "{}", "[1]", "true"].map((id) => `{"id":${id},"name":"Rex","photoUrls":[]}`)}]`,
  ]) {
    const { pets, refused } = await read(text, 99, 1_000, { newIds: true })
    assert.deepEqual(refused, [])
    assert.deepEqual(pets, Array(6).fill({ name: "Rex", photoUrls: [] }))
    assert.ok((await read(text, 99)).refused.length >= 5)
  }
  const { refused } = await read('[1,"a",null,{"id":1,"name":" "}]', 99, 1_000, { newIds: true })
  assert.equal(refused.length, 4)
})

test("null for an optional field counts as omitted, as in the service", async () => {
  const { pets, refused } = await read(
    '{"id":null,"name":"a","photoUrls":[],"category":null,"tags":null,"status":null}\n',
  )
  assert.deepEqual({ pets, refused }, { pets: [{ name: "a", photoUrls: [] }], refused: [] })
})

test("a JSON array contains the same pets as lines do, and missing elements are reported", async () => {
  const pets = [
    { name: "Rex", photoUrls: [] },
    { name: "Kit", photoUrls: ["a.jpg"], status: "sold" },
  ]
  assert.deepEqual((await read(`\n${JSON.stringify(pets, null, 2)}\n`)).pets, pets)
  const { pets: found, refused } = await read('[{"name":"Rex","photoUrls":[]},\n,{"name":1}\n')
  assert.equal(found.length, 1)
  assert.deepEqual(
    refused.map(([line, detail]) => [line, /not valid JSON/.test(detail)]),
    [
      [2, true],
      [2, false],
      [3, true],
    ],
  )
})

test("the first line that is not blank tells the format, and what its lines are", async () => {
  const [rex, mia] = ['{"name":"Rex"}', '{"name":"Mia"}']
  for (const [text, names, refusals] of [
    ["", [], []],
    [" \n\n", [], []],
    [`${rex}\n${mia}`, ["Rex", "Mia"], []],
    [`\n\n ${rex}\n\n[]\n${mia}`, ["Rex", "Mia"], [5]],
    [`${rex} \n{"name":\n"Mia"}`, ["Rex"], [2, 3]],
    [`${rex},\n{"name":\n"Mia"}`, ["Rex", "Mia"], []],
    [`${rex} , \n{"name":\n"Mia"}`, ["Rex", "Mia"], []],
    [`${rex} ${mia}\n{"name":\n"Tom"}`, ["Rex", "Mia", "Tom"], []],
    [`${rex}\r{"name":\r"Mia"}`, ["Rex", "Mia"], []],
    [`${rex}\r\n{"name":\r\n"Mia"}`, ["Rex"], [2, 3]],
    ['{\n"name":"Rex"}', ["Rex"], []],
    ['{ \n"name":"Rex"}', ["Rex"], []],
    ['{"tags":[\n{"name":"a"}],"name":"Rex"}', ["Rex"], []],
    ['{"tags":[{\n"name":"a"}],"name":"Rex"}', ["Rex"], []],
    [`{"pets":[${rex}]}\n${mia}`, ["Rex", "Mia"], []],
    [`{"name":\n${rex}`, ["Rex"], [1]],
    [`[${rex},\n${mia}]`, ["Rex", "Mia"], []],
    ["name\nRex", ["Rex"], []],
    ["\n\nname\n{Rex", ["{Rex"], []],
  ] as const)
    for (const size of [1, 5, 4096]) {
      const { pets, refused } = await read(text, size)
      const found = [pets.map(({ name }) => name), refused.map(([line]) => line)]
      assert.deepEqual(found, [names, refusals], JSON.stringify(text))
    }
})

test("only CSV has columns to name", async () => {
  for (const text of ['{"name":"Rex"}', '\n{\n"name":"Rex"}', "[]", " [\n]"])
    await assert.rejects(
      read(text, 7, 10, { titles: ["name"] }),
      /The file is JSON, which has no columns to name; map its members/,
    )
  assert.deepEqual((await read("Rex", 7, 10, { titles: ["name"] })).pets, [{ name: "Rex", photoUrls: [] }])
})

test("a first line as long as the longest pet is a line, a longer one may be of an object with pets", async () => {
  const padded = (length: number, pets: string) => {
    const [start, end] = [`{"pets":[${pets}],"x":"`, '"}']
    return `${start}${"x".repeat(length - start.length - end.length)}${end}`
  }
  for (const length of [petBytesMax - 1, petBytesMax, petBytesMax + 1])
    for (const size of [65_536, petBytesMax])
      assert.deepEqual((await read(padded(length, '{"name":"Rex"}'), size)).pets, [{ name: "Rex", photoUrls: [] }])
  for (const [length, names, lines] of [
    [petBytesMax, ["Rex"], [2, 3]],
    [petBytesMax + 1, ["Mia"], [1]],
  ] as const) {
    const rex = '{"name":"Rex","x":""}'
    const padded = rex.replace('""', `"${"x".repeat(length - rex.length)}"`)
    for (const size of [65_536, petBytesMax]) {
      const { pets, refused } = await read(`${padded}\n{"name":\n"Mia"}`, size)
      assert.deepEqual([pets.map(({ name }) => name), refused.map(([line]) => line)], [names, lines])
    }
  }
})
