import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { exampleOf } from "../../src/api/openapi/example.ts"
import { v2Operations } from "../../src/api/v2/endpoints.ts"
import { api } from "../../src/domain/api.ts"
import { sandbox } from "../../src/domain/sandbox/contract.ts"
import { type Endpoint, takesJson } from "../../src/kernel/endpoint/endpoint.ts"
import { filledPath } from "../../src/kernel/network/path.ts"
import { sender } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

const strict = { api_key: "special-key", prefer: "handling=strict" }
const lenient = { api_key: "special-key" }
/** Problem documents, also from v2. */
const problems = { accept: "application/problem+json, application/json;q=0.5" }

type Refused = { code: string; detail: string; errors?: { pointer: string; code: string; detail: string }[] }
type Schema = { properties?: Record<string, Schema>; items?: Schema; additionalProperties?: boolean }

/** The value with another member in every object that the schema describes, and the pointers of these members. */
function withUnknown(
  { properties, items }: Schema,
  value: unknown,
  pointer = "",
): [value: unknown, pointers: string[]] {
  if (items && Array.isArray(value)) {
    const all = value.map((item, n) => withUnknown(items, item, `${pointer}/${n}`))
    return [all.map(([one]) => one), all.flatMap(([, pointers]) => pointers)]
  }
  if (!properties || typeof value !== "object") return [value, []]
  const all = Object.entries(value as object).map(
    ([name, member]) => [name, ...withUnknown(properties[name] ?? {}, member, `${pointer}/${name}`)] as const,
  )
  const members = Object.fromEntries(all.map(([name, member]) => [name, member]))
  return [{ ...members, un_known: 1 }, [...all.flatMap(([, , pointers]) => pointers), `${pointer}/un_known`]]
}

/** A misspelt member would make them do more than they say. */
const alwaysRefusing = ["setFaults", "patchPets", "deletePets"]

const served = [
  ...Object.entries<Endpoint>({ ...api, ...sandbox }).map(([name, endpoint]) => ["/api/v3", name, endpoint] as const),
  ...v2Operations(api).map(({ operationId, endpoint }) => ["/v2", operationId, endpoint] as const),
]

describe("an additional member at any depth of a body is refused with strict handling:", () => {
  for (const [base, name, endpoint] of served) {
    const { method, path, params, body, consumes } = endpoint
    if (!body || !takesJson(endpoint)) continue
    const parameters = Object.entries(params?.properties ?? {}).map(([parameter, schema]) => [
      parameter,
      (schema as { type?: string }).type === "integer" ? "1" : exampleOf(schema),
    ])
    const target = filledPath(path, Object.fromEntries(parameters))
    const type = { "content-type": consumes?.[0] ?? "application/json", ...problems }
    const [value, pointers] = withUnknown(body as Schema, exampleOf(body))

    test(`${base} ${name}`, async () => {
      const send = sender(petstore, base, type)
      const refused = await send(method, target, value, strict)
      const found = endpoint.itemwise
        ? (refused.value as { problem: Refused }[]).flatMap(({ problem }, n) =>
            (problem.errors ?? []).map((error) => ({ ...error, pointer: `/${n}${error.pointer}` })),
          )
        : (refused.value as Refused).errors
      assert.equal(refused.status, endpoint.itemwise ? 200 : 422, refused.text)
      // An example made from a schema may break rules besides.
      const unknown = found?.filter(({ code }) => code === "unknown").map(({ pointer }) => pointer)
      assert.deepEqual(unknown?.sort(), pointers.sort())
      assert.equal(refused.headers.get("preference-applied"), "handling=strict")
      const { text } = await send(method, target, exampleOf(body), strict)
      assert.ok(!text.includes('"unknown"'), text)
    })

    if (!alwaysRefusing.includes(name) && (body as Schema).additionalProperties !== false)
      test(`${base} ${name} ignores it otherwise`, async () => {
        const { status, text, headers } = await sender(petstore, base, type)(method, target, value, lenient)
        assert.ok(status < 500 && !text.includes("un_known"), text)
        assert.equal(headers.get("preference-applied"), null)
      })
  }
})

const send = sender(petstore)
const errorsOf = ({ value }: { value: unknown }) => (value as Refused).errors

test("each unknown member has its pointer and the nearest known one, beside every other violation", async () => {
  const pet = {
    nmae: "Rex",
    photoUrls: [],
    category: { nam: "Dogs", name: "Dogs" },
    tags: [{ name: 1, colour: "red" }],
  }
  const refused = await send("POST", "/pet", pet, strict)
  assert.deepEqual(
    errorsOf(refused)?.toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1)),
    [
      { pointer: "/category/nam", code: "unknown", detail: "is not a member; did you mean name?" },
      { pointer: "/name", code: "required", detail: "is required" },
      { pointer: "/nmae", code: "unknown", detail: "is not a member; did you mean name?" },
      { pointer: "/tags/0/colour", code: "unknown", detail: "is not a member" },
      { pointer: "/tags/0/name", code: "wrong-type", detail: "must be a string" },
    ],
  )
})

test("a pet is accepted as it was received, with the ids of its labels", async () => {
  const pet = { name: "Rex", photoUrls: [], category: { name: "Dogs" }, tags: [{ name: "friendly" }] }
  const { value } = await send("POST", "/pet", pet, strict)
  assert.equal((await send("PUT", "/pet", value, strict)).text, JSON.stringify(value))
  const patch = { category: value.category, tags: value.tags }
  assert.equal((await send("PATCH", `/pet/${value.id}`, patch, strict)).status, 200)
  assert.equal((await send("PATCH", `/pet/${value.id}`, { tags: null, categroy: null }, strict)).status, 422)
})

test("unknown elements of XML are refused with strict handling, and names that objects have of their own", async () => {
  const xml = (inner: string) => `<pet><name>Rex</name><photoUrls/>${inner}</pet>`
  const post = (body: string, headers: Record<string, string>) =>
    send("POST", "/pet", body, { ...headers, "content-type": "application/xml" })
  const body = xml("<staus>sold</staus><category><id>7</id><nam>a</nam><name>b</name></category><__proto__/>")
  assert.equal((await post(body, lenient)).status, 200)
  const refused = await post(body, strict)
  assert.deepEqual(
    {
      status: refused.status,
      pointers: errorsOf(refused)
        ?.map(({ pointer }) => pointer)
        .sort(),
    },
    { status: 422, pointers: ["/__proto__", "/category/nam", "/staus"] },
  )
  assert.match(refused.text, /did you mean status\?/)
  assert.equal((await post(xml("<tags><tag><id>1</id><name>a</name></tag></tags>"), strict)).status, 200)
})

test("unknown fields of forms are refused with strict handling, at any depth and in any spelling", async () => {
  const post = (path: string, body: FormData | URLSearchParams, headers: Record<string, string>) =>
    send("POST", path, body, headers)
  const form = (...more: [string, string][]) => new URLSearchParams([["name", "Rex"], ["photoUrls", "a.jpg"], ...more])
  for (const [field, pointer] of [
    ["staus", "/staus"],
    ["category[nmae]", "/category/nmae"],
    ["tags[0].nmae", "/tags/0/nmae"],
    ["x[y]", "/x"],
    ["__proto__", "/__proto__"],
    ["a/b~c", "/a~1b~0c"],
  ] as const) {
    const [wanted, needed] = [form([field, "a"]), form([field, "a"], ["category[name]", "c"], ["tags[0][name]", "t"])]
    const refused = await post("/pet", field.includes("nmae") ? needed : wanted, strict)
    assert.equal(refused.status, 422, field)
    assert.deepEqual(
      errorsOf(refused)?.map((error) => error.pointer),
      [pointer],
    )
  }
  assert.equal((await post("/pet", form(["staus", "a"]), lenient)).status, 200)
  assert.equal((await post("/pet/1", new URLSearchParams({ nmae: "Rex" }), strict)).status, 422)
  assert.equal((await post("/pet/1", new URLSearchParams({ nmae: "Rex" }), lenient)).status, 200)
  const multipart = new FormData()
  for (const [name, text] of [...form(["category", '{"name":"a","nmae":"b"}'])]) multipart.append(name, text)
  assert.deepEqual(
    errorsOf(await post("/pet", multipart, strict))?.map(({ pointer }) => pointer),
    ["/category/nmae"],
  )
})

test("unknown parts of an upload are refused with strict handling, files too", async () => {
  const upload = (headers: Record<string, string>, name: string, part: string | Blob) => {
    const form = new FormData()
    form.append(name, part)
    form.append("file", new Blob(["no image"]), "a.png")
    return send("POST", "/pet/1/uploadImage", form, headers)
  }
  for (const [name, part, pointer] of [
    ["additionalMetdata", "text", "/additionalMetdata"],
    ["other", new Blob(["x"]), "/other"],
    ["additionalMetadata", new Blob(["x"]), "/additionalMetadata"],
  ] as const) {
    assert.deepEqual(
      errorsOf(await upload(strict, name, part))?.map((error) => error.pointer),
      [pointer],
      name,
    )
    assert.notEqual((await upload(lenient, name, part)).status, 422)
  }
})

test("members whose names objects have of their own are unknown, too many are not all listed, and none is a failure", async () => {
  for (const name of ["__proto__", "constructor", "toString", "", "\u0000", "🐕", "x".repeat(50_000)]) {
    const refused = await send("POST", "/pet", `{"name":"a","photoUrls":[],${JSON.stringify(name)}:1}`, strict)
    assert.deepEqual({ status: refused.status, count: errorsOf(refused)?.length }, { status: 422, count: 1 }, name)
  }
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`m${n}`, n]))
  const refused = await send("POST", "/pet", { name: "a", photoUrls: [], ...many }, strict)
  assert.deepEqual({ status: refused.status, count: errorsOf(refused)?.length }, { status: 422, count: 100 })
})

test("each pet of an import is refused by itself with strict handling", async () => {
  const pets = [
    { name: "a", photoUrls: [] },
    { name: "b", photoUrls: [], stauts: "sold" },
  ]
  const { status, value } = await send("POST", "/pets/import", pets, strict)
  assert.equal(status, 200)
  assert.ok(value[0].id > 0)
  assert.equal(value[1].problem.detail, "stauts is not a member; did you mean status?")
})
