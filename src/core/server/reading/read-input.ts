import type { IncomingHttpHeaders } from "node:http"
import { parse } from "node:querystring"
import type { TSchema } from "typebox"
import { type Endpoint, queryOf } from "../../kernel/endpoint/endpoint.ts"
import { type Cursor, decodeCursor, type Sort, unknownCursor } from "../../kernel/endpoint/page.ts"
import { memoize } from "../../kernel/flow/memoize.ts"
import { onceForEach } from "../../kernel/flow/once-for-each.ts"
import { jsonType, multipartType, urlencodedType, xmlType } from "../../kernel/network/media-types.ts"
import { Problem, problem } from "../../kernel/problem.ts"
import { checkOf } from "../../kernel/schema/check.ts"
import { closeSchema } from "../../kernel/schema/close-schema.ts"
import { type JsonSchema, Type } from "../../kernel/schema/type.ts"
import type { Exchange, Parameters } from "../exchange/exchange.ts"
import { readXml } from "../xml/read-xml.ts"
import { isEmptyObject } from "./body.ts"
import { readClassicValues } from "./classic-values.ts"
import { readMultipart, readUrlencoded } from "./form-fields.ts"
import { readWholeForm, unknownMembers } from "./form-value.ts"
import { itemsReader } from "./items.ts"
import { parseText } from "./json-text.ts"
import { lenientCheck } from "./lenient-check.ts"
import { requireMediaType } from "./media-type.ts"
import { pathReader, queryReader } from "./parameters.ts"
import { isStrict } from "./strict-handling.ts"

/** Reads the input of an endpoint; each part throws a problem for an invalid value. All stores of a process share it. */
export const inputReader = onceForEach((endpoint: Endpoint) => {
  const readPath = pathReader(endpoint.params)
  const read = queryAndPageReader(endpoint)
  const readQuery = endpoint.paged ? memoize(read, remembered) : read

  return {
    readParameters({ params, query }: Pick<Exchange, "params" | "query">): Parameters {
      const path = readPath(params)
      const { query: values, page } = readQuery(query)
      return { params: path, query: values, page }
    },
    readBody: bodyReader(endpoint),
  }
})

/** Clients request the same lists again and again. Other queries may be long, or hold a password. */
const remembered = { entriesMax: 50, lengthMax: 200 }

/** Reads the query and the requested page, frozen where requests share them. */
function queryAndPageReader(endpoint: Endpoint): (query: string) => Omit<Parameters, "params"> {
  const read = queryReader(queryOf(endpoint))

  return (text) => {
    const all = read(text === "" ? noParameters : parse(text, "&", "=", { maxKeys: 0 }))
    if (!endpoint.paged) return { query: all, page: undefined }
    const { limit, sort, cursor, ...query } = all as Paging
    const start = cursor === undefined ? undefined : readCursor(cursor, endpoint.sorts)
    const page = endpoint.sorts ? { limit, sort, cursor: start } : { limit, before: start?.id }
    for (const value of Object.values(query)) Object.freeze(value)
    return { query: Object.freeze(query), page: Object.freeze(page) }
  }
}

const noParameters = {}

type Paging = { limit: number; sort: Sort | undefined; cursor: string | undefined }

function readCursor(text: string, sorts: readonly Sort[] = ["-id"]): Cursor {
  const cursor = decodeCursor(text)
  if (cursor === undefined || !sorts.includes(cursor.sort)) throw unknownCursor()
  return cursor
}

type ReadBody = (bytes: Buffer, headers: IncomingHttpHeaders) => unknown

/** Reads a body and checks it against the schema; undefined when the endpoint takes none. */
function bodyReader(endpoint: Endpoint): ReadBody {
  const { body: schema } = endpoint
  if (!schema) return () => undefined
  const readLeniently = readerOf(endpoint, schema)
  let readStrictly: ReadBody | undefined
  return (bytes, headers) => {
    if (!isStrict(headers)) return readLeniently(bytes, headers)
    readStrictly ??= readerOf(endpoint, closeSchema(schema))
    return readStrictly(bytes, headers)
  }
}

function readerOf(endpoint: Endpoint, schema: TSchema): ReadBody {
  const { bodyProblems = {}, consumes = [jsonType] } = endpoint
  // In a merge patch, null removes a field (RFC 7396).
  const check = endpoint.method === "PATCH" ? checkOf : lenientCheck
  const violationsOf = check(schema)
  const isOptional = Type.IsOptional(endpoint.body)
  const readItems = endpoint.itemwise && itemsReader(schema, check)

  function judge(received: unknown): unknown {
    // A body that may be omitted would otherwise be ignored as a whole.
    if (isOptional && isRecord(received) && !hasKnownMember(received, schema)) throw unknownMembers(schema, received)
    const body = endpoint.classicValues ? readClassicValues(received, schema as JsonSchema) : received
    const violations = violationsOf(body)
    if (violations.length === 0) return body
    const named = violations.map((violation) => ("pointer" in violation ? bodyProblems[violation.pointer] : undefined))
    throw problem(named.find((code) => code !== undefined) ?? "invalid-body", violations)
  }

  return (bytes, headers) => {
    if (isOptional && (bytes.length === 0 || isEmptyObject(bytes, headers))) return undefined
    if (bytes.length === 0 && !(endpoint.classicValues && headers["content-type"] === undefined))
      throw new Problem("malformed-json", "The body is empty")
    const type = requireMediaType(headers, consumes, bytes)
    if (readItems) return readItems(type, bytes)
    const value = parseBody(type, bytes, headers, schema)
    return value instanceof Promise ? value.then(judge) : judge(value)
  }
}

const hasKnownMember = (value: object, { properties }: JsonSchema): boolean => {
  const names = Object.keys(value)
  return names.length === 0 || names.some((name) => Object.hasOwn(properties ?? {}, name))
}

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function parseBody(type: string, bytes: Buffer, headers: IncomingHttpHeaders, schema: TSchema): unknown {
  switch (type) {
    case urlencodedType:
      return readWholeForm(schema, readUrlencoded(bytes))
    case xmlType:
      return readXml(bytes, schema)
    case multipartType:
      return readMultipart(bytes, headers).then((fields) => readWholeForm(schema, fields))
    default:
      return parseText(bytes)
  }
}
