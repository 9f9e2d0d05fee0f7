import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { keySender } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const send = keySender(petstore)

/** Sends the fields as a form in both encodings; both must have the same outcome, which is returned without the id. */
async function sendAsBoth(fields: [string, string][], method = "POST", path = "/pet") {
  const outcomes = []
  for (const body of [new URLSearchParams(fields), multipartOf(fields)]) {
    const { status, value: all } = await send(method, path, body)
    const { id: _, requestId: __, ...value } = all
    outcomes.push({ status, value })
  }
  assert.deepEqual(outcomes[0], outcomes[1])
  return outcomes[0] as (typeof outcomes)[number]
}

function multipartOf(fields: [string, string][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

const namesOf = (values: { name: string }[]) => values.map(({ name }) => name)

describe("a declared list in a query is also read", () => {
  for (const [spelling, query] of [
    ["with brackets", "status[]=sold"],
    ["with a number", "status[0]=sold"],
    ["percent-encoded", "status%5B%5D=sold"],
    ["after a dot", "status.0=sold"],
  ])
    test(spelling as string, async () => {
      for (const path of ["/pet/findByStatus", "/pet"])
        assert.deepEqual(
          (await send("GET", `${path}?${query}`)).value,
          (await send("GET", `${path}?status=sold`)).value,
          path,
        )
    })

  test("from several spellings at once, with commas, and by strict clients", async () => {
    const all = (await send("GET", "/pet/findByStatus?status=sold,pending")).value
    for (const query of ["status=sold&status[]=pending", "status[]=sold,pending", "status[1]=sold&status[0]=pending"])
      assert.deepEqual(
        (await send("GET", `/pet/findByStatus?${query}`, undefined, { prefer: "handling=strict" })).value,
        all,
        query,
      )
  })

  test("for every other parameter of the kind", async () => {
    for (const [plain, nested] of [
      ["/pet/findByTags?tags=friendly", "/pet/findByTags?tags[]=friendly"],
      ["/pet?tag=friendly", "/pet?tag[0]=friendly"],
      ["/pet?category=Dogs&status=sold", "/pet?category[]=Dogs&status[]=sold"],
    ] as const)
      assert.deepEqual((await send("GET", nested)).value, (await send("GET", plain)).value)
  })
})

describe("another part of a declared parameter is 400, never ignored:", () => {
  for (const query of [
    "status[x]=sold",
    "status[0][x]=sold",
    "status[][]=sold",
    "status.x=sold",
    "status[=sold",
    "status[0]x=sold",
    "limit[]=1",
    "limit[max]=1",
    "sort.by=name",
    "status[__proto__]=sold",
  ])
    test(query, async () => {
      const { status, value } = await send("GET", `/pet?${query}`)
      assert.deepEqual([status, value.code], [400, "invalid-parameter"])
      assert.equal(value.errors[0].parameter, /^\w+/.exec(query)?.[0])
    })

  test("while parameters whose base is unknown are ignored as before", async () => {
    assert.equal((await send("GET", "/pet?page[size]=1&a.b=c")).value.length, (await send("GET", "/pet")).value.length)
  })
})

describe("a form with lists and objects in brackets or dots", () => {
  const whole = {
    name: "N",
    photoUrls: ["a.jpg", "b.jpg"],
    category: { name: "Dogs" },
    tags: [{ name: "t" }, { name: "u" }],
  }

  for (const [style, fields] of [
    [
      "jQuery and PHP",
      ["photoUrls[]=a.jpg", "photoUrls[]=b.jpg", "category[name]=Dogs", "tags[0][name]=t", "tags[1][name]=u"],
    ],
    [
      "axios",
      ["photoUrls[0]=a.jpg", "photoUrls[1]=b.jpg", "category[name]=Dogs", "tags[0][name]=t", "tags[1][name]=u"],
    ],
    ["Spring", ["photoUrls=a.jpg", "photoUrls=b.jpg", "category.name=Dogs", "tags[0].name=t", "tags[1].name=u"]],
    ["Rails", ["photoUrls[]=a.jpg", "photoUrls[]=b.jpg", "category[name]=Dogs", "tags[][name]=t", "tags[][name]=u"]],
    [
      "out of order",
      ["photoUrls[10]=b.jpg", "photoUrls[9]=a.jpg", "category[name]=Dogs", "tags[7][name]=u", "tags[3][name]=t"],
    ],
    [
      "with ids, which are ignored",
      [
        "photoUrls[]=a.jpg",
        "photoUrls[]=b.jpg",
        "category[id]=9",
        "category[name]=Dogs",
        "tags[0][id]=9",
        "tags[0][name]=t",
        "tags[1][name]=u",
      ],
    ],
    [
      "JSON and brackets mixed",
      ["photoUrls=a.jpg", "photoUrls[]=b.jpg", 'category={"name":"Dogs"}', 'tags={"name":"t"}', "tags[0][name]=u"],
    ],
  ] as const)
    test(`of ${style} creates and replaces the whole pet`, async () => {
      const pairs = ["name=N", ...fields].map((field) => field.split("=", 2) as [string, string])
      const created = await sendAsBoth(pairs)
      assert.equal(created.status, 200)
      const shown = { ...created.value, category: { name: created.value.category.name } }
      assert.deepEqual(
        { ...shown, tags: namesOf(shown.tags), status: undefined },
        { ...whole, tags: ["t", "u"], status: undefined },
      )
      const replaced = await sendAsBoth([["id", "2"], ...pairs], "PUT")
      assert.deepEqual(replaced.value.photoUrls, whole.photoUrls)
      assert.deepEqual(namesOf(replaced.value.tags), ["t", "u"])
    })

  for (const field of [
    "name[first]=x",
    "name[]=x",
    "photoUrls[a]=x",
    "photoUrls[0][url]=x",
    "photoUrls[__proto__]=x",
    "category[name][x]=y",
    "category[0]=x",
    "category[]=x",
    "category[name=x",
    "tags[x][name]=y",
    "tags[0][name][x]=y",
    "tags[][name][x]=y",
    "tags.name=x",
    "status.x=sold",
  ])
    test(`with ${field} is 422, never ignored`, async () => {
      const [name, value] = field.split("=") as [string, string]
      const { status, value: problem } = await sendAsBoth([
        ...(name.startsWith("name") ? [] : [["name", "N"] as [string, string]]),
        [name, value],
      ])
      assert.deepEqual([status, problem.code], [422, "invalid-body"])
      assert.match(JSON.stringify(problem.errors), new RegExp(`"pointer":"/${/^\w+/.exec(name)?.[0]}`))
    })

  test("of more items than a list may have is 422", async () => {
    const many = Array.from({ length: 51 }, (_, n): [string, string] => [`tags[${n}][name]`, `t${n}`])
    assert.equal((await sendAsBoth([["name", "N"], ...many])).status, 422)
    assert.equal(
      (
        await sendAsBoth([
          ["name", "N"],
          ["tags[999999999999][name]", "t"],
        ])
      ).value.tags.length,
      1,
    )
  })

  test("also for an order and beside an uploaded file", async () => {
    const { status } = await sendAsBoth(
      [
        ["petId", "1"],
        ["quantity[]", "1"],
      ],
      "POST",
      "/store/order",
    )
    assert.equal(status, 422)
    const form = new FormData()
    form.append("additionalMetadata[note]", "x")
    form.append("file", new Blob([Buffer.from("x")]), "a.jpg")
    const refused = await send("POST", "/pet/1/uploadImage", form)
    assert.equal(refused.status, 422)
    const { errors } = refused.value as { errors: { pointer: string }[] }
    assert.equal(errors[0]?.pointer, "/additionalMetadata")
  })
})
