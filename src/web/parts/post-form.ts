import { html, type Markup } from "../html.ts"

/** What a form needs to know of the page it is on. */
export type OnPage = { root: string; path: string; token: string }

type Options = {
  /** The `action` of the page that takes it; a form without leads to a path that does one thing. */
  action?: string
  /** The page that takes it, below the console; the one it is on when absent. */
  to?: string
}

/** A form that does something, with the token that proves it is from a page of ours. */
export const postForm = ({ root, path, token }: OnPage, content: Markup, { action, to = path }: Options): Markup =>
  html`<form method="post" action="${root}${to === "/" ? "" : to}">
<input type="hidden" name="form" value="${token}">
${action !== undefined && html`<input type="hidden" name="action" value="${action}">`}
${content}
</form>`
