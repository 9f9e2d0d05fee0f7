import { STATUS_CODES } from "node:http"
import { type ProblemCode, problems } from "../domain/problems.ts"
import { problemExample } from "../http/openapi/problem-answers.ts"
import { html, prose } from "./html.ts"
import type { Page } from "./layout.ts"

/** Every problem there is. */
export const problemIndex = (): Page => ({
  title: "Problems · Petstore",
  root: ".",
  main: html`
<div class="problem"><h1>Problems</h1></div>
<p class="lead">Whatever goes wrong is one of these, told as <code>application/problem+json</code> (RFC 9457). Programs read
<code>code</code>, which never changes; people read <code>detail</code>.</p>
<ul class="kinds">${Object.entries(problems).map(
    ([code, { status, title, meaning }]) => html`
<li><b>${status}</b><div><a href="problems/${code}">${title}</a><p>${prose(meaning)}</p></div></li>`,
  )}
</ul>`,
})

/** What a problem's `type` leads to. */
export function problemPage(code: ProblemCode): Page {
  const { status, title, meaning } = problems[code]
  return {
    title: `${title} · Petstore`,
    root: "..",
    main: html`
<div class="problem"><p class="code">${status} ${STATUS_CODES[status]}</p><h1>${title}</h1></div>
<p class="lead">${prose(meaning)}</p>
<dl><dt>Status</dt><dd>${status}</dd><dt>Code</dt><dd><code>${code}</code></dd></dl>
<h2>What it looks like</h2>
<pre class="wrap">${JSON.stringify(problemExample(code).value, null, 2)}</pre>
<p>Reporting one? The <code>requestId</code> finds the request in the service’s log.</p>
<p><a href="../problems">All problems</a></p>`,
  }
}
