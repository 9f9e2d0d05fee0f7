import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { consoleScript, consoleStyle } from "../../site/pages/assets.ts"
import { renderPage } from "../../site/pages/frame.ts"
import { personMenu, siteHeader, siteLinks, skipLink } from "../../site/pages/header.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { type Notice, notice } from "../../site/pages/parts/notice.ts"
import type { ConsolePage, PageGroup, Visit } from "./page.ts"

export type Framed = {
  visit: Visit
  title: string
  main: Markup
  /** 200 when absent. */
  status?: number
  notice?: Notice | undefined
}

export function renderFrame({ visit, title, status = 200, ...framed }: Framed): HttpResponse {
  const root = `${visit.root}/..`
  const { headers, ...response } = renderPage({
    title: `${title} · Petstore console`,
    root,
    status,
    main: framed.main,
    cacheControl: "no-store",
    formTargets: ["'self'"],
    imageSources: visit.service.imageOrigin,
    hasSearch: true,
    scripts: [consoleScript.name],
    frame: {
      style: html`<link rel="stylesheet" href="${root}/assets/${consoleStyle.name}">`,
      styleSource: "'self'",
      body: bodyOf(visit, framed),
    },
  })
  return { ...response, headers: [...headers, "cross-origin-opener-policy", "same-origin"] }
}

const bodyOf = (visit: Visit, { main, notice: message }: Pick<Framed, "main" | "notice">): Markup => html`${skipLink}
${siteHeader({
  root: `${visit.root}/..`,
  area: visit.service.site.area,
  links: visit.service.site.links(),
  current: "/console",
  menu: visit.menu(),
  hasSearch: true,
  visitor: personMenu(`${visit.root}/..`, visit.person, visit.token, accountOf(visit)),
})}
<div class="console">
${navigation(visit)}
<main id="main" tabindex="-1" data-now="${new Date(visit.service.now()).toISOString()}">
${message && notice(message)}
${main}
</main>
</div>`

/** The account that the pages act for, and the way to another one. */
const accountOf = ({ account, root, scopes }: Visit): Markup | undefined =>
  scopes.has("admin")
    ? html`<p>Account <a href="${root}/accounts/${account.id}">${account.name}</a> <a class="soft" href="${root}/accounts">switch</a></p>`
    : undefined

/** On a phone the navigation opens on demand; where there is space, the style sheet shows it always. */
const navigation = (visit: Visit): Markup => html`<nav class="sections" aria-label="Console">
<details><summary>Menu</summary>
${visit.groups.map((group) => groupOf(visit, group))}
${outside(visit)}
</details>
</nav>`

/** The pages of the service outside the console, which the header of a phone has no width for. */
const outside = ({ root, service }: Visit): Markup => html`<div class="outside"><p class="group">Petstore</p>
${siteLinks({ root: `${root}/..`, links: service.site.links() })}</div>`

function groupOf(visit: Visit, { title, pages }: PageGroup): Markup | undefined {
  const shown = pages.filter(({ path }) => !path.includes("/", 1) && visit.mayGo(path))
  if (shown.length === 0) return undefined
  return html`<div>${title !== undefined && html`<p class="group">${title}</p>`}
<ul>${shown.map((page) => html`<li><a href="${visit.root}${page.path === "/" ? "" : page.path}"${current(page, visit)}>${page.title}</a></li>`)}</ul></div>`
}

function current({ path }: ConsolePage, visit: Visit): Markup | undefined {
  if (path === visit.path) return html` aria-current="page"`
  return path !== "/" && visit.path.startsWith(`${path}/`) ? html` aria-current="true"` : undefined
}
