import type { Finder, Visit } from "../../console/pages/page.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { contains } from "../../site/search/found.ts"
import { lookInside } from "./named-list.ts"
import { sandboxOf } from "./sandbox-visit.ts"

const namesShown = 10

/** The way into a named sandbox. */
export function menuOfSandboxes(visit: Visit): Markup | undefined {
  const { root, mayGo } = visit
  if (!mayGo("/sandbox")) return undefined
  const names = sandboxOf(visit)
    .list()
    .map(({ name }) => name)
  return html`<div class="person sandboxes"><button class="quiet small" type="button" popovertarget="sandboxes">Sandbox</button>
<div id="sandboxes" popover>
${names.length > 0 ? html`<p>Look inside</p>${names.slice(-namesShown).map((name) => lookInside(visit, name, name))}` : html`<p>There are no named sandboxes.</p>`}
<p><a href="${root}/sandbox">All sandboxes</a></p>
</div></div>`
}

/** The way out of a named sandbox. */
export const wayOut = (visit: Visit): Markup =>
  html`<a class="person" href="${pageOutside(visit)}">Leave the sandbox</a>`

/** A named sandbox is managed outside of it: its clock, faults and data. */
export const findWayOut: Finder = (visit, text) => [
  {
    title: "Actions",
    hits: ["Advance the clock", "Faults", "Reset the sandbox", "Leave the sandbox"]
      .filter((label) => contains(text, label))
      .map((label) => ({ label, note: "outside of the sandbox", href: pageOutside(visit) })),
  },
]

const pageOutside = ({ root, service: { site } }: Visit): string => `${root}/../../../console/sandbox/${site.area}`
