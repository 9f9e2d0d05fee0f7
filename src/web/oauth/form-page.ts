import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { type HtmlPage, renderPage } from "../frame.ts"
import { html, type Markup } from "../html.ts"
import { alarm } from "../parts/notice.ts"

/** Renders a page that concerns one person: nobody caches it, and its form leads to this service or `origins` only. */
export const renderFormPage = (page: Omit<HtmlPage, "cacheControl" | "formTargets">, origins: readonly string[]) =>
  renderPage({ ...page, main: inCard(page.main), cacheControl: "no-store", formTargets: ["'self'", ...origins] })

/** Tells a person that a flow cannot go on and that there is nowhere safe to send them back to. */
export const flowErrorPage = (
  { error, description = "The request cannot be continued." }: { error: string; description?: string | undefined },
  status = 400,
): HttpResponse =>
  renderPage({
    title: "This did not work · Petstore",
    root: "",
    status,
    cacheControl: "no-store",
    main: inCard(html`
<h1>This did not work</h1>
${alarm(description)}
<p>Go back to the application and start again. If it happens again, tell whoever runs the application.</p>
<p class="soft"><code>${error}</code></p>`),
  })

const inCard = (main: Markup): Markup => html`<div class="card">${main}</div>`
