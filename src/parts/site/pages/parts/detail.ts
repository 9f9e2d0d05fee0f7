import { html, type Markup } from "../html.ts"

/** A page about one resource: what it is on two thirds of the width, what belongs to it on the last one. */
export const detail = (main: Markup, beside?: Markup | false): Markup => html`<div class="detail">
<div>${main}</div>
${beside && html`<aside>${beside}</aside>`}
</div>`

/** The facts about a resource, beside its picture if it has one. A fact without a value is left out. */
export const facts = (entries: Readonly<Record<string, Fact>>, picture?: Markup): Markup => html`<div class="about">
${picture}
<dl class="record">${Object.entries(entries).map(
  ([term, fact]) => fact !== undefined && html`<dt>${term}</dt><dd>${fact}</dd>`,
)}</dl>
</div>`

export type Fact = Markup | string | number | undefined
