import { html, type Markup } from "../html.ts"

export type OnPage = { root: string; path: string; token: string }

type Options = {
  action?: string
  to?: string
  id?: string
  className?: string
}

/**
 * A form with the CSRF token. It runs `action` of its own page or of the page at `to`; a path with a single action, and a form
 * whose buttons name theirs, need no `action`.
 */
export const postForm = (
  { root, path, token }: OnPage,
  content: Markup,
  { action, to = path, id, className }: Options,
): Markup =>
  html`<form method="post" action="${root}${to === "/" ? "" : to}"${id !== undefined && html` id="${id}"`}${className !== undefined && html` class="${className}"`}>
<input type="hidden" name="form" value="${token}">
${action !== undefined && html`<input type="hidden" name="action" value="${action}">`}
${content}
</form>`
