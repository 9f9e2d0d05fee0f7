import type { Visit } from "../console/page.ts"
import { html, type Markup } from "../html.ts"

type LinkContext = Pick<Visit, "root" | "mayGo">

/** A link when the user may see the page at `path`, otherwise plain text. */
export const linkTo = ({ root, mayGo }: LinkContext, path: string, words: string): Markup | string =>
  mayGo(path) ? html`<a href="${root}${path}">${words}</a>` : words

/** Links a reference of the audit log, such as `key:7`. Except for accounts, pages show only resources of the user's own account. */
export function thingLink(visit: LinkContext, reference: string, isOwn: boolean): Markup | string {
  const [noun = "", id = ""] = reference.split(":")
  const place = noun === "account" ? "/accounts" : isOwn ? ownPlaces[noun] : undefined
  return place === undefined ? reference : linkTo(visit, `${place}/${id}`, reference)
}

const ownPlaces: Record<string, string> = { key: "/keys", "oauth-client": "/applications", webhook: "/webhooks" }
