import { html } from "./html.ts"
import type { Page } from "./layout.ts"

/** What a browser is shown where there is nothing. */
export const notFoundPage = (path: string): Page => ({
  title: "Nothing here · Petstore",
  root: "",
  main: html`
<div class="problem"><p class="code">404 Not Found</p><h1>Nothing lives here</h1></div>
<p class="lead">There is no page at <code>${path}</code>.</p>
<p class="actions"><a href="/">To the first page</a><a href="/docs">Reference</a></p>`,
})
