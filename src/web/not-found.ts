import type { HttpResponse } from "../kernel/network/http-response.ts"
import { html } from "./html.ts"
import { renderPage } from "./layout.ts"

/** What a browser is shown at a path where there is nothing. */
export function notFoundPage(path: string): HttpResponse {
  const { headers, ...response } = renderPage({
    title: "Not found · Petstore",
    root: "",
    status: 404,
    cacheControl: "no-store",
    main: html`
<div class="problem"><p class="code">404 Not Found</p><h1>Page not found</h1></div>
<p class="lead">There is no page at <code>${path}</code>.</p>
<p class="actions"><a href="/">Go to the first page</a><a href="/docs">Reference</a></p>`,
  })
  return { ...response, headers: [...headers, "vary", "Accept"] }
}
