import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { gzipSync } from "node:zlib"
import { petstoreCommand } from "../harness/command-line.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())

const run = (...argv: string[]) =>
  petstoreCommand(petstore.url, ["import", ...argv], { clock: petstore.clock, stateDir: directory.path })

function write(name: string, text: string | Uint8Array): string {
  const file = join(directory.path, name)
  writeFileSync(file, text)
  return file
}

/** The pets of a name, with their category and photos. */
async function readNamed(name: string): Promise<string[]> {
  const { value } = await petstore.as("special-key").listPets({ query: { name } })
  return value.map((pet) => [pet.name, pet.category?.name ?? "", ...pet.photoUrls].join(" "))
}

test("files of other programs are imported as they are, with flags where they say too little (slow)", async () => {
  const cases: [text: string | Uint8Array, flags: string[], expected: string][] = [
    ["id,name,updateName\n7001,P1,Bruno\n", [], "P1 "],
    ["petId,petName\n7002,P2\n", [], "P2 "],
    ["id,name,status\n7003,P3,available", [], "P3 "],
    ["P4,Dog\n", ["--columns", "name,category"], "P4 Dog"],
    ["P5;jazvečík;foto/1.jpg;1\n", ["--columns", "name,type,photo,sex"], "P5 jazvečík foto/1.jpg"],
    ["animal\nP6\n", ["--map", "animal=name"], "P6 "],
    ['name,age,weight,species\n"P7",1,2,"cat"\n', [], "P7 cat"],
    ["ID,Name,Species,Breed,Age,Adopted\n7008,P8,Dog,None,3,False\n", [], "P8 Dog"],
    ["name,sex,photo,breed_name,species_name\nP9,F,x.jpg,None,Dog\n", [], "P9 Dog x.jpg"],
    [
      "animalId,animalName,animalType,image\nA100001,Q1,Dog,https://example.org/a_%281%29.jpg\n",
      [],
      "Q1 Dog https://example.org/a_%281%29.jpg",
    ],
    ["name,species,profile_photo,status_id\nQ2,NULL,q2.jpg,2\n", ["--map", "profile_photo=photoUrls"], "Q2  q2.jpg"],
    ["Q3, Small Pets,12.5,\n", ["--columns", "name,category,price"], "Q3 Small Pets"],
    ['[{"id":"a-1","name":"Q4","type":"Dog"}]', ["--new-ids", "--map", "type=category"], "Q4 Dog"],
    [
      '[{"id":"7f1c","name":"Q5","type":"Cat","img":"../q5.png","breed":"x"}]',
      ["--new-ids", "--map", "type=category", "--map", "img=photoUrls"],
      "Q5 Cat ../q5.png",
    ],
    ['{\n "posts": [],\n "pets": [\n  {"id": "1", "name": "Q6"}\n ]\n}', ["--new-ids"], "Q6 "],
    [Buffer.from("\ufeffname\tspecies\r\nQ7\tDog\r\n", "utf16le"), [], "Q7 Dog"],
    ["id,name,category\r\n7101.0,Q8,Dog\r\n\x1a", [], "Q8 Dog"],
    ['{"data":{"pets":[{"name":"Q9"}]},"total":1}', [], "Q9 "],
    ['{"pets":{"-Nx1":{"name":"T1","category":{"name":"Dog"}}}}', [], "T1 Dog"],
  ]
  for (const [n, [text, flags, expected]] of cases.entries()) {
    const { code, err, out } = await run(write(`shape ${n}`, text), ...flags)
    assert.match(out, /^1 line: 1 imported, 0 refused/, `${text} ${err}`)
    assert.equal(code, 0)
    assert.deepEqual(await readNamed(expected.split(" ")[0] as string), [expected])
  }
})

test("a mapping that a file or its flags contradict is refused before any request", async () => {
  const csv = write("contradicted.csv", "title,kind\nRex,Dog\n")
  for (const [argv, expected] of [
    [[csv], /If that is a pet, name the columns; if it has titles, map one to name/],
    [[csv, "--map", "Title=name"], /no column "Title"; its columns are title, kind/],
    [[csv, "--map", "title"], /--map: "title" is not TITLE=COLUMN; the columns are id, name.* and nothing/],
    [[csv, "--map", "title=nam"], /"title=nam" is not TITLE=COLUMN/],
    [[csv, "--map", "title=name", "--map", "kind=name"], /title and kind are both mapped to name/],
    [[csv, "--map", "title=name", "--map", "title=tags"], /"title" is mapped more than once/],
    [[csv, "--columns", "a,b"], /needs a column name/],
    [[write("head.csv", "Name,kind\nRex,Dog\n"), "--columns", "name,kind"], /has column names in its first line/],
    [[write("is.json", "[]"), "--columns", "name"], /is JSON, which has no columns/],
    [[write("pets.csv.gz", gzipSync("name\nRex\n"))], /is compressed by gzip: unpack it/],
  ] as const) {
    const { code, err } = await run(...argv)
    assert.equal(code, 2, err)
    assert.match(err, expected)
  }
})

test("columns that are mapped to one list are joined, one that is mapped to nothing is ignored, and members keep other values", async () => {
  const csv = write("joined.csv", "name,photo1,photo2,tag,color,type\nR1,a.jpg,b.jpg,big;calm,red,x\n")
  const flags = ["photo1=photoUrls", "photo2=photoUrls", "tag=tags", "color=tags", "type=nothing"]
  assert.equal((await run(csv, ...flags.flatMap((flag) => ["--map", flag]))).code, 0)
  const json = write(
    "joined.json",
    '{"title":"R2","category":"Dogs","labels":["big; calm","red"],"status":"Sold","x":1}\n',
  )
  const members = ["title=name", "category=category", "labels=tags", "status=status", "x=nothing", "none=id"]
  const { err, code } = await run(json, ...members.flatMap((flag) => ["--map", flag]))
  assert.equal(code, 0, err)
  const { value } = await petstore.as("special-key").listPets({ query: { name: "R" } })
  assert.deepEqual(
    value
      .filter(({ name }) => /^R[12]$/.test(name))
      .map(({ name, category, tags, photoUrls, status }) => [
        name,
        category?.name,
        status,

        tags.map((tag) => tag.name),
        photoUrls,
      ]),
    [
      ["R1", undefined, "available", ["big", "calm", "red"], ["a.jpg", "b.jpg"]],
      ["R2", "Dogs", "sold", ["big; calm", "red"], []],
    ],
  )
})

test("an import is continued only with the same mapping, and one that imported nothing starts over with another", async () => {
  const file = write("continued.csv", "id,name,sort\nA1,S1,Dog\nA2,S2,Dog\n")
  assert.match((await run(file)).out, /2 refused/)
  const mapped = [file, "--new-ids", "--map", "sort=category"]
  assert.match((await run(...mapped)).out, /2 imported, 0 refused/)
  assert.match((await run(...mapped)).out, /0 imported, 2 already imported/)
  const other = await run(file, "--new-ids")
  assert.equal(other.code, 2)
  assert.match(other.err, /belongs to an import with --map sort=category; continue it the same way/)
  const state = ["--state", join(directory.path, "elsewhere")]
  assert.match((await run(...mapped, ...state)).out, /2 imported/)
  assert.deepEqual(await readNamed("S"), ["S1 Dog", "S2 Dog"], "the same keys without the state")
  assert.match((await run(file, "--new-ids", "--again")).out, /2 imported/)
})
