import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { takesJson } from "../../src/core/kernel/endpoint/endpoint.ts"
import { filledPath } from "../../src/core/kernel/network/path.ts"
import { everyOperation, exampleOf } from "../harness/operations.ts"
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

describe("an additional member at any depth of a body is refused with strict handling:", () => {
  for (const { base, name, endpoint } of everyOperation) {
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

test("unknown parts of an upload are refused with strict handling, files too (slow)", async () => {
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
