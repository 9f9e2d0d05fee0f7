import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { type HtmlPage, renderPage } from "../../site/pages/frame.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { alarm } from "../../site/pages/parts/notice.ts"

/** Renders a page for one user: it is not cached, and its form may submit to this service and to `origins` only. */
export const renderFormPage = (page: Omit<HtmlPage, "cacheControl" | "formTargets">, origins: readonly string[]) =>
  renderPage({ ...page, main: inCard(page.main), cacheControl: "no-store", formTargets: ["'self'", ...origins] })

/** The error page of a flow that has no redirect URI to return an error to. */
export const flowErrorPage = (
  {
    error,
    description = "The authorization request cannot be completed.",
  }: { error: string; description?: string | undefined },
  status = 400,
): HttpResponse =>
  renderPage({
    title: "Authorization failed · Petstore",
    root: "",
    status,
    cacheControl: "no-store",
    main: inCard(html`
<h1>Authorization failed</h1>
${alarm(description)}
<p>Return to the application and try again. If the error persists, contact the application's provider.</p>
<p class="soft"><code>${error}</code></p>`),
  })

const inCard = (main: Markup): Markup => html`<div class="card">${main}</div>`
