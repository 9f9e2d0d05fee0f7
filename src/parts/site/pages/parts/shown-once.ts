import { html, type Markup } from "../html.ts"
import { copyable } from "./copyable.ts"

type CreatedSecret = {
  heading: string
  /** Secrets by label. */
  texts: Readonly<Record<string, string>>
  advice: Markup | string
  /** The link to continue with. */
  to: { href: string; label: string }
}

/** The result of an action that created a secret, which is displayed only once. */
export const shownOnce = ({ heading, texts, advice, to }: CreatedSecret) => ({
  show: html`<h1>${heading}</h1>
<section class="once" aria-label="Shown only once">
<p><strong>Copy it now.</strong> It is not shown again.</p>
<dl>${Object.entries(texts).map(([name, text]) => html`<dt>${name}</dt><dd>${copyable(text, name)}</dd>`)}</dl>
<p>${advice}</p>
</section>
<p class="actions"><a href="${to.href}">${to.label}</a></p>`,
})
