import { html, type Markup } from "../../../site/pages/html.ts"

/** Something that a search found. */
export type Hit = { href: string; label: string; note: string }

/** At most this many of a kind are shown. */
const hitsShown = 10

export const hitList = (title: string, hits: readonly Hit[]): Markup | undefined =>
  hits.length === 0
    ? undefined
    : html`<h2>${title}</h2>
<ul class="lines">${hits
        .slice(0, hitsShown)
        .map(
          ({ href, label, note }) => html`<li><a href="${href}">${label}</a> <span class="soft">${note}</span></li>`,
        )}</ul>
${hits.length > hitsShown && html`<p class="soft">${hits.length - hitsShown} more: search for more of the name.</p>`}`

/** Whether one of these texts contains the searched one, regardless of case. */
export const contains = (searched: string, ...texts: readonly (string | undefined)[]): boolean =>
  texts.some((text) => text?.toLowerCase().includes(searched.toLowerCase()))
