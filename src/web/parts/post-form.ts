import { html, type Markup } from "../html.ts"

/** The page that a form is on. */
export type OnPage = { root: string; path: string; token: string }

/**
 * A form with the CSRF token. It runs `action` of its own page or of the page at `to`; a path with a single action needs no
 * `action`.
 */
export const postForm = (
  { root, path, token }: OnPage,
  content: Markup,
  { action, to = path }: { action?: string; to?: string },
): Markup =>
  html`<form method="post" action="${root}${to === "/" ? "" : to}">
<input type="hidden" name="form" value="${token}">
${action !== undefined && html`<input type="hidden" name="action" value="${action}">`}
${content}
</form>`
