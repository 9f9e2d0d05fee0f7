import type { Json } from "./json.ts"

/** A response that is already JSON text, with what its headers say of it. */
export class JsonResponse<T> {
  readonly json: Json<T>
  /** A strong entity tag (RFC 9110 section 8.8.3), quotes included. */
  readonly etag: string | undefined
  /** The id the next page starts below. */
  readonly next: number | undefined
  /** Further headers, those the endpoint lists under `headers`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    json: Json<T>,
    more: { etag?: string | undefined; next?: number | undefined; headers?: Record<string, string> } = {},
  ) {
    this.json = json
    this.etag = more.etag
    this.next = more.next
    this.headers = more.headers ?? {}
  }
}
