import { html, type Markup } from "../html.ts"
import { copyable } from "./copyable.ts"

type CreatedSecret = {
  heading: string
  /** What is shown, by what it is called. */
  texts: Readonly<Record<string, string>>
  advice: Markup | string
  /** Where to go on, below the console, and what is there. */
  to: { href: string; words: string }
}

/** The end of an action that made a secret: shows it, and never again. */
export const shownOnce = ({ heading, texts, advice, to }: CreatedSecret) => ({
  show: html`<h1>${heading}</h1>
<section class="once" aria-label="Shown only once">
<p><strong>Copy it now.</strong> It is not shown again.</p>
<dl>${Object.entries(texts).map(([name, text]) => html`<dt>${name}</dt><dd>${copyable(text, name)}</dd>`)}</dl>
<p>${advice}</p>
</section>
<p class="actions"><a href="${to.href}">${to.words}</a></p>`,
})
