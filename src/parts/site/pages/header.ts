import type { Role } from "../../../core/domain/scopes.ts"
import { sessionToken } from "../serving/forms.ts"
import type { Visitor } from "../serving/visitor.ts"
import { html, Markup } from "./html.ts"
import { postForm } from "./parts/post-form.ts"
import { paw } from "./paw.ts"

/** A link of the header; the path is below the site's root. */
export type SiteLink = { name: string; path: `/${string}` }

export type Header = {
  /** Relative path from the page to the site's root; empty when the page's address is unknown. */
  root: string
  /** None when absent. */
  links?: readonly SiteLink[] | undefined
  /** The name of the store whose pages these are; undefined for the main store. */
  area?: string | undefined
  /** The path of the link to this page. */
  current?: SiteLink["path"]
  /** What a part adds, before the search. */
  menu?: Markup | undefined
  /** Whether it leads to the search, and the page has the palette. */
  hasSearch?: boolean
  visitor?: Markup | undefined
}

/** The header of every page. */
export const siteHeader = ({ area, menu, hasSearch, visitor, ...links }: Header): Markup => html`<header>
<a class="home" href="${siteHome(links)}">${paw} <span class="word">Petstore</span>${area !== undefined && html` <span class="area">${area}</span>`}</a>
${links.links && html`<nav aria-label="Site">${siteLinks(links)}</nav>`}
${menu}
${hasSearch && searchLink(links.root)}
${visitor}
</header>`

/** Without a store, nothing is at the root. */
export const siteHome = ({ root, links = [] }: Pick<Header, "root" | "links">): string => root + (links[0]?.path ?? "/")

const searchLink = (root: string): Markup =>
  html`<a class="find" href="${root}/search" data-palette aria-keyshortcuts="/ Control+K Meta+K">${glass}<span>Search</span><kbd aria-hidden="true">/</kbd></a>`

const glass = new Markup(
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path d="M10.5 10.5 14 14M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0Z" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>',
)

/** The first link of a page with much before its content. */
export const skipLink = html`<a class="skip" href="#main">Skip to the content</a>`

export const siteLinks = ({ root, links = [], current }: Pick<Header, "root" | "links" | "current">): Markup =>
  html`${links.map(
    ({ name, path }) => html`<a href="${root}${path}"${path === current && html` aria-current="true"`}>${name}</a>`,
  )}`

/** The menu of a signed-in person, which opens and closes without a script; `token` is that of their forms. */
export const personMenu = (
  root: string,
  { username, role }: { username: string; role: Role },
  token: string,
  account?: Markup,
): Markup => html`<div class="person">
<button class="quiet small" type="button" popovertarget="person">${username}</button>
<div id="person" popover>
<p><strong>${username}</strong> <span class="soft">${role}</span></p>
${account}
<p><a href="${root}/console/profile">Your profile</a></p>
${postForm({ root: `${root}/console`, path: "", token }, html`<button class="quiet small">Sign out</button>`, { to: "/sign-out" })}
</div>
</div>`

/** The menu of the visitor, or the way to sign in, where there is one. */
export const visitorPart = (root: string, visitor: Visitor | undefined, canSignIn: boolean): Markup | undefined => {
  if (visitor) return personMenu(root, visitor.caller.user, sessionToken(visitor.token))
  return canSignIn ? html`<a class="person" href="${root}/console/sign-in">Sign in</a>` : undefined
}
