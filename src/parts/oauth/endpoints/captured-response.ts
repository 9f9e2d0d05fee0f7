import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { ServerResponse } from "../../../core/server/exchange/node-http.ts"

/** A response that oidc-provider makes and the service sends, like all others. */
export class CapturedResponse extends ServerResponse {
  #body: HttpResponse["body"]

  override end(body?: unknown): this {
    if (typeof body === "string" || body instanceof Uint8Array) this.#body = body
    return this
  }

  /** The response as it is to be sent. */
  read(): HttpResponse {
    // The length is that of what is sent.
    this.removeHeader("content-length")
    // The form of `response_mode=form_post` has an origin, which a client may check.
    if (this.getHeader("content-type")?.toString().startsWith("text/html") && !this.hasHeader("referrer-policy"))
      this.setHeader("referrer-policy", "strict-origin")
    const headers = Object.entries(this.getHeaders()).flatMap(([name, value]) =>
      [value ?? []].flat().flatMap((each) => [name, String(each)]),
    )
    return { status: this.statusCode, headers, body: this.#body }
  }
}
