import { html, type Markup } from "../html.ts"

type Told = { status: number; title: string; detail: string; root: string }

/** What a person is told in place of a page. */
export const problemMain = ({ status, title, detail, root }: Told): Markup => html`
<p class="soft">${status}</p>
<h1>${title}</h1>
<p class="lead">${detail}</p>
<p class="actions"><a href="${root}">Go to the overview</a></p>`
