import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { pageBytesMax } from "../../kernel/endpoint/page.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import { fromJson, type Json } from "../../kernel/json/json.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { xmlType } from "../../kernel/network/media-types.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { xmlTagOf } from "../reading/conditional-requests.ts"
import { writeXml, writeXmlList } from "../xml/write-xml.ts"

type Respond<Response> = (exchange: Exchange, result: JsonResponse<unknown>) => Response

/** Makes the same response in XML, which has an entity tag of its own and may need more pages. */
export const xmlResponse =
  ({ response, paged }: Endpoint, respondInJson: Respond<HttpResponse>): Respond<Awaitable<HttpResponse>> =>
  (exchange, { json, texts, etag, next, headers: further }) => {
    const respond = (write: () => string, behind: JsonResponse<unknown>["next"]): HttpResponse => {
      const result = new JsonResponse(json, { next: behind, headers: further, etag: etag && xmlTagOf(etag) })
      const { status, headers, body } = respondInJson(exchange, result)
      if (body === undefined) return { status, headers, body }
      const others = headers.slice(0, headers.lastIndexOf("content-type"))
      return { status, headers: [...others, "content-type", `${xmlType}; charset=utf-8`], body: write() }
    }
    if (!json.startsWith("[")) return respond(() => writeXml(response, fromJson(json)), next)
    const list = { json: json as Json<{ id: number }[]>, texts }
    return writeXmlList(response, list, paged ? pageBytesMax : Number.POSITIVE_INFINITY).then(({ xml, last }) =>
      respond(() => xml, last?.id ?? next),
    )
  }
