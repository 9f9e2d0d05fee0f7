import assert from "node:assert/strict"
import { Ajv } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { api } from "../../src/core/domain/api.ts"
import { onceForEach } from "../../src/core/kernel/flow/once-for-each.ts"
import { basePath, v2Path } from "../../src/core/kernel/network/path.ts"
import { openapi } from "../../src/parts/descriptions/openapi/document.ts"
import { swagger } from "../../src/parts/v2/swagger.ts"

type Received = { method: string; path: string; status: number; type: string; text: string }
type Schemas = { schema?: object; content?: Record<string, { schema: object }>; $ref?: string }
type Item = Record<string, { responses: Record<string, Schemas> }>
type Document = { paths: Record<string, Item>; components?: { responses: Record<string, Schemas> } }

/** Checks the JSON responses below a path by the document that describes them. */
function checkBelow(base: string, described: object, ajv: Ajv | Ajv2020) {
  const isBelow = new RegExp(`^(/s/[^/]+)?${base}/`)
  // As it is served.
  const document: Document = JSON.parse(JSON.stringify(described))
  formats.default(ajv)
  ajv.addSchema(document, base)
  // Literal paths come before a template that matches too.
  const paths = Object.entries(document.paths)
    .toSorted(([a], [b]) => Number(a.includes("{")) - Number(b.includes("{")))
    .map(([template, item]) => ({
      pattern: new RegExp(`^(/s/[^/]+)?${base}${template.replaceAll(/\{\w+\}/g, "[^/]+")}/?(\\?.*)?$`),
      item,
    }))
  const resolve = (given: Schemas): Schemas =>
    document.components?.responses[given.$ref?.split("/").at(-1) ?? ""] ?? given

  const validatorOf = onceForEach((schema: object) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${base}#/`))),
  )

  return ({ method, path, status, type, text }: Received): void => {
    if (!isBelow.test(path) || !/^application\/(\S+\+)?json$/.test(type)) return
    const found = paths.find(({ pattern, item }) => pattern.test(path) && item[method.toLowerCase()])
    const responses = found?.item[method.toLowerCase()]?.responses
    if (!responses) return
    const where = `${method} ${path} ${status}`
    const { schema, content } = resolve(
      responses[status] ?? responses.default ?? assert.fail(`${where} is not described`),
    )
    const expected = schema ?? content?.[type]?.schema ?? assert.fail(`${where} ${type} is not described`)
    const isValid = validatorOf(expected)
    assert.ok(isValid(JSON.parse(text)), `${where} is not as described: ${ajv.errorsText(isValid.errors)}\n${text}`)
  }
}

/** Does not validate the schemas, which other tests do: compiling their meta-schema takes longer than all of them. */
const options = { strict: false, meta: false, validateSchema: false, inlineRefs: false, logger: false } as const
const v2 = checkBelow(v2Path, swagger(api, "0", "http://localhost"), new Ajv(options))

/** Fails unless a JSON response below `/v2` is what `/v2/swagger.json` describes for its operation and status. Leaves it unread. */
export async function requireDescribedInV2({
  method,
  path,
  response,
}: Pick<Received, "method" | "path"> & { response: Response }): Promise<void> {
  const { status, headers } = response
  const type = headers.get("content-type") ?? ""
  if (type === "application/json") v2({ method, path, status, type, text: await response.clone().text() })
}

/** Fails unless a JSON response is what the description of its path says, for its operation and status. */
export const describedChecker = () => {
  const v3 = checkBelow(basePath, openapi(api, "0"), new Ajv2020(options))
  return (received: Received): void => {
    if (received.type === "application/json") v2(received)
    v3(received)
  }
}
