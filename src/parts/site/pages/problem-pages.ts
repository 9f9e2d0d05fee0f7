import { type ProblemCode, problems } from "../../../core/domain/problems/problems.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Problem } from "../../../core/kernel/problem.ts"
import { renderPage, type Surrounded } from "./frame.ts"
import { siteHome } from "./header.ts"
import { html, prose } from "./html.ts"

// An import would also load WebSocket and fetch.
const { STATUS_CODES } = process.getBuiltinModule("node:http")

/** Every kind of problem, or those with this text; by status, then by code. */
export function problemIndex(surrounded: Surrounded, text: string): HttpResponse {
  const found = Object.entries(problems)
    .filter(([code, { status, title }]) => contains(text, `${status} ${code} ${title}`))
    .sort(([one, { status }], [other, { status: otherStatus }]) => status - otherStatus || (one < other ? -1 : 1))
  return renderPage({
    ...surrounded,
    title: "Errors · Petstore",
    current: "/problems",
    main: html`
<h1>Errors</h1>
<p class="lead">Every error response is one of these problems, as <code>application/problem+json</code> (RFC 9457).
Programs evaluate <code>code</code>, which never changes; <code>detail</code> is for people.</p>
<form class="search" role="search" method="get" action="./problems">
<input type="search" name="q" value="${text}" maxlength="64" placeholder="A status, a code or a word…" aria-label="Status, code or word">
<button class="quiet">Filter</button>
</form>
${found.length === 0 && html`<p class="nothing">No error has this in its code or title. <a href="./problems">Show all errors</a></p>`}
<ul class="kinds">${found.map(
      ([code, { status, title, meaning }]) => html`
<li><b>${status}</b><div><a href="problems/${code}">${title}</a> <code>${code}</code><p>${prose(meaning)}</p></div></li>`,
    )}
</ul>`,
  })
}

const contains = (text: string, where: string): boolean => where.toLowerCase().includes(text.trim().toLowerCase())

/** The page at the address in a problem's `type`; undefined for an unknown code. */
export function problemPage(
  surrounded: Surrounded,
  code: string,
  problemExample: (code: ProblemCode) => unknown,
): HttpResponse | undefined {
  if (!isProblemCode(code)) return undefined
  const { status, title, meaning } = problems[code]
  return renderPage({
    ...surrounded,
    title: `${title} · Petstore`,
    main: html`
<p class="code">${status} ${STATUS_CODES[status]}</p>
<h1>${title}</h1>
<p class="lead">${prose(meaning)}</p>
<dl><dt>Status</dt><dd>${status}</dd><dt>Code</dt><dd><code>${code}</code></dd></dl>
<h2>Example</h2>
<pre class="wrap" tabindex="0">${JSON.stringify(problemExample(code), null, 2)}</pre>
<p>When you report a problem, include the <code>requestId</code>: it identifies the request in the service’s log.</p>
<p><a href="../problems">All errors</a></p>`,
  })
}

export function notFoundPage(surrounded: Surrounded, path: string): HttpResponse {
  const { headers, ...response } = renderPage({
    ...surrounded,
    title: "Not found · Petstore",
    status: 404,
    cacheControl: "no-store",
    main: html`
<p class="code">404 Not Found</p>
<h1>Page not found</h1>
<p class="lead">There is no page at <code>${path}</code>.</p>
<p class="actions"><a href="${siteHome(surrounded)}">Home</a></p>`,
  })
  return { ...response, headers: [...headers, "vary", "Accept"] }
}

/** The page instead of another one that could not be made. */
export function refusedPage(surrounded: Surrounded, { code, detail }: Problem, requestId: string): HttpResponse {
  const { status, title } = problems[code as ProblemCode]
  return renderPage({
    ...surrounded,
    title: `${title} · Petstore`,
    status,
    cacheControl: "no-store",
    main: html`
<p class="code">${status} ${STATUS_CODES[status]}</p>
<h1>${title}</h1>
<p class="lead">${detail}.</p>
<p><a href="${surrounded.root}/problems/${code}">What this means</a>. The id of the request is <code>${requestId}</code>.</p>
<p class="actions"><a href="${siteHome(surrounded)}">Home</a></p>`,
  })
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code)
