import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { Awaitable } from "../../../core/kernel/flow/awaitable.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { html, type Markup } from "../pages/html.ts"
import type { Visitor } from "../serving/visitor.ts"

/** Something that a search found: a page, or an action, whose button is a form. */
export type Hit = { note: string } & ({ label: string; href: string } | { button: Markup })

/** What was found of a kind, the best first. */
export type Found = { title: string; hits: readonly Hit[] }

/** Who searches; `root` leads from the page of results to the site's root. */
type Seeker = { exchange: Exchange<Caller>; visitor: Visitor | undefined; root: string }

/** Finds what this visitor may see, also of several kinds; pages and actions for an empty text. Called while a person types. */
export type SiteFinder = (seeker: Seeker, text: string) => Awaitable<readonly Found[]>

/** At most this many of a kind are shown. */
const hitsShown = 20

export const foundSection = ({ title, hits }: Found): Markup => html`<section><h2>${title}</h2>
<ul class="lines">${hits
  .slice(0, hitsShown)
  .map(
    (hit) =>
      html`<li>${"href" in hit ? html`<a href="${hit.href}">${hit.label}</a>` : hit.button} <span class="soft">${hit.note}</span></li>`,
  )}</ul>
${hits.length > hitsShown && html`<p class="soft">${hits.length - hitsShown} more: search for more of the name.</p>`}
</section>`

/** Whether one of these texts contains the searched one, regardless of case. */
export const contains = (searched: string, ...texts: readonly (string | undefined)[]): boolean =>
  texts.some((text) => text?.toLowerCase().includes(searched.toLowerCase()))

/** The positive integer that a text is, as ids are; also after the noun, as in `order 3`. */
export function idIn(text: string, noun: string): number | undefined {
  const [, digits] = new RegExp(`^(?:${noun} )?#?(\\d{1,16})$`, "i").exec(text) ?? []
  const id = Number(digits ?? 0)
  return id > 0 && Number.isSafeInteger(id) ? id : undefined
}
