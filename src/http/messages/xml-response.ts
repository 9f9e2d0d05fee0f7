import type { TSchema } from "typebox"
import type { Awaitable } from "../../kernel/awaitable.ts"
import type { HttpResponse } from "../../kernel/http-response.ts"
import { fromJson } from "../../kernel/json.ts"
import { JsonResponse } from "../../kernel/json-response.ts"
import { xmlType } from "../../kernel/media-types.ts"
import type { Exchange } from "../exchange.ts"
import { xmlTagOf } from "./conditional-requests.ts"
import { writeXml, writeXmlList } from "./xml/write-xml.ts"

type Respond<Response> = (exchange: Exchange, result: JsonResponse<unknown>) => Response

/** The same response in XML: another representation, which has an entity tag of its own. */
export const xmlResponse =
  (schema: TSchema, respondInJson: Respond<HttpResponse>): Respond<Awaitable<HttpResponse>> =>
  (exchange, { json, etag, ...rest }) => {
    const { status, headers, body } = respondInJson(
      exchange,
      new JsonResponse(json, { ...rest, etag: etag && xmlTagOf(etag) }),
    )
    if (body === undefined) return { status, headers, body }
    const others = headers.slice(0, headers.lastIndexOf("content-type"))
    const typed = [...others, "content-type", `${xmlType}; charset=utf-8`]
    const value = fromJson(json)
    if (!Array.isArray(value)) return { status, headers: typed, body: writeXml(schema, value) }
    return writeXmlList(schema, value).then((list) => ({ status, headers: typed, body: list }))
  }
