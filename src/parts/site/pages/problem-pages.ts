import { type ProblemCode, problems } from "../../../core/domain/problems/problems.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { renderPage } from "./frame.ts"
import type { Header } from "./header.ts"
import { html, prose } from "./html.ts"

// An import would also load WebSocket and fetch.
const { STATUS_CODES } = process.getBuiltinModule("node:http")

export const problemIndex = ({ hasStore, area }: Pick<Header, "hasStore" | "area">): HttpResponse =>
  renderPage({
    title: "Errors · Petstore",
    root: ".",
    hasStore,
    area,
    current: "Errors",
    main: html`
<div class="problem"><h1>Errors</h1></div>
<p class="lead">Every error response is one of these problems, as <code>application/problem+json</code> (RFC 9457).
Programs evaluate <code>code</code>, which never changes; <code>detail</code> is for people.</p>
<ul class="kinds">${Object.entries(problems).map(
      ([code, { status, title, meaning }]) => html`
<li><b>${status}</b><div><a href="problems/${code}">${title}</a><p>${prose(meaning)}</p></div></li>`,
    )}
</ul>`,
  })

/** The page at the address in a problem's `type`; undefined for an unknown code. */
export function problemPage(
  code: string,
  {
    problemExample,
    hasStore,
    area,
  }: Pick<Header, "hasStore" | "area"> & { problemExample(code: ProblemCode): unknown },
): HttpResponse | undefined {
  if (!isProblemCode(code)) return undefined
  const { status, title, meaning } = problems[code]
  return renderPage({
    title: `${title} · Petstore`,
    root: "..",
    hasStore,
    area,
    main: html`
<div class="problem"><p class="code">${status} ${STATUS_CODES[status]}</p><h1>${title}</h1></div>
<p class="lead">${prose(meaning)}</p>
<dl><dt>Status</dt><dd>${status}</dd><dt>Code</dt><dd><code>${code}</code></dd></dl>
<h2>Example</h2>
<pre class="wrap" tabindex="0">${JSON.stringify(problemExample(code), null, 2)}</pre>
<p>When you report a problem, include the <code>requestId</code>: it identifies the request in the service’s log.</p>
<p><a href="../problems">All errors</a></p>`,
  })
}

export function notFoundPage(path: string, docsPath: string | undefined): HttpResponse {
  const { headers, ...response } = renderPage({
    title: "Not found · Petstore",
    root: "",
    status: 404,
    cacheControl: "no-store",
    main: html`
<div class="problem"><p class="code">404 Not Found</p><h1>Page not found</h1></div>
<p class="lead">There is no page at <code>${path}</code>.</p>
<p class="actions"><a href="/">Home</a>${docsPath && html`<a href="${docsPath}">Reference</a>`}</p>`,
  })
  return { ...response, headers: [...headers, "vary", "Accept"] }
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code)
