import { html, type Markup } from "../html.ts"

/** Formats an RFC 3339 timestamp in UTC, to the minute or the second. */
export const timeTag = (at: string, to: "minute" | "second" = "minute"): Markup =>
  html`<time datetime="${at}" title="${at}">${at.slice(0, 10)} ${at.slice(11, to === "minute" ? 16 : 19)}</time>`

/** The same for an optional timestamp, with `otherwise` in its place. */
export const timeTagOr = (at: string | undefined, otherwise = ""): Markup | string =>
  at === undefined ? otherwise : timeTag(at)
