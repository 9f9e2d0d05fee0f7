import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { consoleScript, consoleStyle } from "../assets.ts"
import { renderPage } from "../frame.ts"
import { html, type Markup } from "../html.ts"
import { type Notice, notice } from "../parts/notice.ts"
import { postForm } from "../parts/post-form.ts"
import { paw } from "../paw.ts"
import { type ConsolePage, maySeePage, type Visit } from "./page.ts"

export type Framed = {
  visit: Visit
  /** All pages, for the navigation. */
  pages: readonly ConsolePage[]
  title: string
  main: Markup
  /** 200 when absent. */
  status?: number
  notice?: Notice | undefined
}

export function renderFrame({ visit, title, status = 200, ...framed }: Framed): HttpResponse {
  const root = `${visit.root}/..`
  const { headers, ...response } = renderPage({
    ...{ title: `${title} · Petstore console`, root, status, main: framed.main },
    ...{ cacheControl: "no-store", formTargets: ["'self'"], imageSources: visit.service.imageOrigin },
    scripts: [consoleScript.name],
    frame: {
      style: html`<link rel="stylesheet" href="${root}/assets/${consoleStyle.name}">`,
      styleSource: "'self'",
      body: bodyOf(visit, framed),
    },
  })
  return { ...response, headers: [...headers, "cross-origin-opener-policy", "same-origin"] }
}

const bodyOf = (
  visit: Visit,
  { pages, main, notice: message }: Pick<Framed, "pages" | "main" | "notice">,
): Markup => html`<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="home" href="${visit.root}">${paw} Petstore <span class="place">console</span></a>
<div class="who">
<span><strong>${visit.person.username}</strong> <span class="soft">${visit.person.role}</span></span>
${visit.scopes.has("admin") && accountOf(visit)}
${postForm(visit, html`<button class="quiet small">Sign out</button>`, { to: "/sign-out" })}
</div>
</header>
<div class="console">
${navigation(visit, pages)}
<main id="main" tabindex="-1">
${message && notice(message)}
${main}
</main>
</div>`

/** The account that the pages act for, and the way to another one. */
const accountOf = ({ account, root }: Visit): Markup =>
  html`<span><a href="${root}/accounts/${account.id}">${account.name}</a> <a class="soft" href="${root}/accounts">switch</a></span>`

const navigation = (
  visit: Visit,
  pages: readonly ConsolePage[],
): Markup => html`<nav class="rooms" aria-label="Console">
<ul>${pages.map(
  (page) =>
    !page.path.includes("/", 1) &&
    maySeePage(page, visit) &&
    html`<li><a href="${visit.root}${page.path === "/" ? "" : page.path}"${current(page, visit)}>${page.title}</a></li>`,
)}</ul>
</nav>`

function current({ path }: ConsolePage, visit: Visit): Markup | undefined {
  if (path === visit.path) return html` aria-current="page"`
  return path !== "/" && visit.path.startsWith(`${path}/`) ? html` aria-current="true"` : undefined
}
