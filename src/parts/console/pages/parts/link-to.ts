import { html, type Markup } from "../../../site/pages/html.ts"
import type { Visit } from "../page.ts"

/** A link when the user may see the page at `path`, otherwise plain text. */
export const linkTo = ({ root, mayGo }: Pick<Visit, "root" | "mayGo">, path: string, words: string): Markup | string =>
  mayGo(path) ? html`<a href="${root}${path}">${words}</a>` : words
