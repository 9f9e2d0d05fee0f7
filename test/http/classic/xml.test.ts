import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { api } from "../../../src/core/domain/api.ts"
import type { Endpoint } from "../../../src/core/kernel/endpoint/endpoint.ts"
import { jsonType, xmlType } from "../../../src/core/kernel/network/media-types.ts"
import { filledPath } from "../../../src/core/kernel/network/path.ts"
import { keySender } from "../../harness/send.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()

const send = keySender(petstore)

test("a document of 10,000 attributes and elements is read, and of one more is refused", async () => {
  const post = (attributes: number) => {
    const list = Array.from({ length: attributes }, (_, n) => ` a${n}=''`).join("")
    return send("POST", "/pet", `<pet><name>a</name><photoUrls/><a${list}/></pet>`, { "content-type": xmlType })
  }
  assert.equal((await post(9_996)).status, 200)
  const { status, value } = await post(9_997)
  assert.deepEqual([status, value.code], [400, "malformed-xml"])
})

test("every schema that may be XML names its element, and its lists are wrapped", () => {
  const unnamed: string[] = []
  for (const [name, { body, response, consumes, produces }] of Object.entries<Endpoint>(api)) {
    if (body && consumes?.includes(xmlType)) look(body as Schema, `${name} body`, true)
    if (produces?.includes(xmlType)) look(response as Schema, `${name} response`, true)
  }
  function look({ type, xml, properties = {}, items }: Schema, where: string, isRoot = false): void {
    if (isRoot && !xml?.name) unnamed.push(where)
    if (type === "array" && !xml?.wrapped) unnamed.push(where)
    if (type === "array" && !items?.xml?.name) unnamed.push(`${where} items`)
    if (items) look(items, `${where} items`)
    for (const [field, of] of Object.entries(properties)) look(of, `${where} ${field}`)
  }
  assert.deepEqual(unnamed, [])
})

type Schema = {
  type?: string
  xml?: { name?: string; wrapped?: boolean }
  properties?: Record<string, Schema>
  items?: Schema
}

describe("a body under an alias of its type is read as such:", () => {
  for (const [name, endpoint] of Object.entries<Endpoint>(api))
    for (const [alias, type, malformed, code] of [
      ["Text/JSON; charset=utf-8", jsonType, "{", "malformed-json"],
      ["text/xml", xmlType, "<", "malformed-xml"],
    ] as const) {
      const { method, path, params, body, itemwise, consumes = [jsonType] } = endpoint
      if (!body || itemwise || !consumes.includes(type)) continue
      const ids = Object.keys(params?.properties ?? {}).map((parameter) => [parameter, "1"])
      test(`${alias} of ${name}`, async () => {
        const target = filledPath(path, Object.fromEntries(ids))
        const { status, text } = await send(method, target, malformed, { "content-type": alias })
        // A value of a path may be refused before.
        if (!text.includes("invalid-parameter")) assert.match(`${status} ${text}`, new RegExp(`^400 .*"${code}"`))
      })
    }
})
