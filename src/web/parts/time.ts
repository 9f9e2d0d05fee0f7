import { html, type Markup } from "../html.ts"

/** A point in time, given as RFC 3339, to the minute or the second, in UTC. */
export const timeTag = (at: string, to: "minute" | "second" = "minute"): Markup =>
  html`<time datetime="${at}" title="${at}">${at.slice(0, 10)} ${at.slice(11, to === "minute" ? 16 : 19)}</time>`

/** The same for a time that there may not be, in place of which `otherwise` is shown. */
export const timeTagOr = (at: string | undefined, otherwise = ""): Markup | string =>
  at === undefined ? otherwise : timeTag(at)
