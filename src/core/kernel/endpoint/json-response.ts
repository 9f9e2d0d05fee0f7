import { type Json, json, jsonArray } from "../json/json.ts"
import type { KeptText } from "../json/kept-text.ts"
import { basePath } from "../network/path.ts"
import type { Cursor, PageOf, PageText } from "./page.ts"
import { totalHeaders } from "./total.ts"

/** A response that is already JSON text, with its headers. */
export class JsonResponse<T> {
  readonly json: Json<T>
  /** A strong entity tag (RFC 9110 section 8.8.3), quotes included. */
  readonly etag: string | undefined
  /** Start of the next page: after this item, or below this id. */
  readonly next: Cursor | number | undefined
  /** Further headers that the endpoint lists under `headers`. */
  readonly headers: Readonly<Record<string, string>>
  /** The texts of the items of a list, if the store keeps them. */
  readonly texts: readonly KeptText[] | undefined
  /** Whether it is the stored response to an earlier request with the same `Idempotency-Key`. */
  readonly isReplayed: boolean

  constructor(
    json: Json<T>,
    more: {
      etag?: string | undefined
      next?: Cursor | number | undefined
      headers?: Record<string, string>
      texts?: readonly KeptText[] | undefined
      isReplayed?: boolean
    } = {},
  ) {
    this.json = json
    this.etag = more.etag
    this.next = more.next
    this.headers = more.headers ?? {}
    this.texts = more.texts
    this.isReplayed = more.isReplayed ?? false
  }
}

/** The 201 for a resource created at this path of the API. */
export const created = <T>(value: T, path: string): JsonResponse<T> =>
  new JsonResponse(json(value), { headers: { location: basePath + path } })

/** The response with a page of a list: as text, or as items that are values or JSON text. */
export const pageResponse = (page: PageText<unknown> | PageOf<unknown>): JsonResponse<unknown> =>
  new JsonResponse("json" in page ? page.json : jsonArray(page.items.map(asJson)), {
    next: page.next,
    ...("json" in page && { texts: page.texts }),
    ...(page.total && { headers: totalHeaders(page.total) }),
  })

const asJson = (item: unknown): Json<unknown> => (typeof item === "string" ? (item as Json<unknown>) : json(item))
