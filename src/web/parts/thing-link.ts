import type { Visit } from "../console/page.ts"
import { html, type Markup } from "../html.ts"

type LinkContext = Pick<Visit, "root" | "mayGo">

/** Leads to the page of something, where there is one that whoever looks may see; elsewhere it is a word. */
export const linkTo = ({ root, mayGo }: LinkContext, path: string, words: string): Markup | string =>
  mayGo(path) ? html`<a href="${root}${path}">${words}</a>` : words

/** The same for a reference of the audit log, such as `key:7`. Pages show what is one's own account's, but every account. */
export function thingLink(visit: LinkContext, reference: string, isOwn: boolean): Markup | string {
  const [noun = "", id = ""] = reference.split(":")
  const place = noun === "account" ? "/accounts" : isOwn ? ownPlaces[noun] : undefined
  return place === undefined ? reference : linkTo(visit, `${place}/${id}`, reference)
}

const ownPlaces: Record<string, string> = { key: "/keys", "oauth-client": "/applications", webhook: "/webhooks" }
