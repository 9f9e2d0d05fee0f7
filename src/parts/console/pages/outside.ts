import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { renderPage } from "../../site/pages/frame.ts"
import type { SiteLink } from "../../site/pages/header.ts"
import { html, type Markup } from "../../site/pages/html.ts"

type PageProblem = { status: number; title: string; detail: string; root: string; links: readonly SiteLink[] }

export const problemMain = ({ status, title, detail, root }: Omit<PageProblem, "links">): Markup => html`
<p class="soft">${status}</p>
<h1>${title}</h1>
<p class="lead">${detail}</p>
<p class="actions"><a href="${root}">Go to the overview</a></p>`

/** The error page of a request that was refused before authentication. */
export const consoleProblemPage = (problem: PageProblem): HttpResponse =>
  renderPage({
    title: `${problem.title} · Petstore console`,
    root: "",
    links: problem.links,
    status: problem.status,
    cacheControl: "no-store",
    main: problemMain(problem),
  })

/** Requests the same page again, as a same-site navigation with the session's strict cookie. */
export const reloadPage = (links: readonly SiteLink[]): HttpResponse =>
  renderPage({
    title: "Petstore console",
    root: "",
    links,
    cacheControl: "no-store",
    head: html`<meta http-equiv="refresh" content="0">`,
    main: html`<h1>Petstore console</h1><p><a href="">Open the page</a></p>`,
  })
