import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { paw } from "../animals.ts"
import { document, pageHeaders } from "../document.ts"
import { html, type Markup } from "../html.ts"
import { postForm } from "../parts/post-form.ts"
import { consoleLook } from "./assets.ts"
import { type ConsolePage, maySee, type Visit } from "./page.ts"

export type Frame = {
  visit: Visit
  /** All there are, for the navigation. */
  pages: readonly ConsolePage[]
  title: string
  main: Markup
  /** 200 when absent. */
  status?: number
  /** What was done, or why a form was refused. */
  notice?: Notice | undefined
}

type Notice = { text: string; isFailure: boolean }

const allowed = { style: "'self'", script: "'self'", connect: "'self'", forms: ["'self'"] }

/** A page of the console, for the eyes of one person. */
export const renderFrame = ({ visit, pages, title, main, status = 200, notice }: Frame): HttpResponse => ({
  status,
  headers: [
    ...pageHeaders({ ...allowed, images: visit.service.imageOrigin }, "no-store"),
    "cross-origin-opener-policy",
    "same-origin",
  ],
  body: document({
    title: `${title} · Petstore console`,
    root: `${visit.root}/..`,
    look: consoleLook(visit.root),
    body: html`<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="home" href="${visit.root}">${paw} Petstore <span class="place">console</span></a>
${whoIsHere(visit)}
</header>
<div class="console">
${navigation(visit, pages)}
<main id="main" tabindex="-1">
${notice && (notice.isFailure ? html`<p class="alarm" role="alert">${notice.text}</p>` : html`<p class="notice" role="status">${notice.text}</p>`)}
${main}
</main>
</div>`,
  }).text,
})

const whoIsHere = (visit: Visit): Markup => html`<div class="who">
<span><strong>${visit.person.username}</strong> <span class="soft">${visit.person.role}</span></span>
${postForm(visit, html`<button class="quiet small">Sign out</button>`, { to: "/sign-out" })}
</div>`

const navigation = (
  visit: Visit,
  pages: readonly ConsolePage[],
): Markup => html`<nav class="rooms" aria-label="Console">
<ul>${pages.map(
  (page) =>
    page.nav !== undefined &&
    maySee(page, visit) &&
    html`<li><a href="${visit.root}${page.path === "/" ? "" : page.path}"${current(page, visit)}>${page.nav}</a></li>`,
)}</ul>
</nav>`

function current({ path }: ConsolePage, visit: Visit): Markup | undefined {
  if (path === visit.path) return html` aria-current="page"`
  return path !== "/" && visit.path.startsWith(`${path}/`) ? html` aria-current="true"` : undefined
}
