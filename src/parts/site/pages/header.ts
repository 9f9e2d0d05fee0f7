import type { Role } from "../../../core/domain/scopes.ts"
import { sessionToken } from "../serving/forms.ts"
import type { Visitor } from "../serving/visitor.ts"
import { html, type Markup } from "./html.ts"
import { postForm } from "./parts/post-form.ts"
import { paw } from "./paw.ts"

export type Header = {
  /** Relative path from the page to the site's root; empty when the page's address is unknown. */
  root: string
  /** Whether `/` is a public store: true when absent. Without one it redirects to the console. */
  hasStore?: boolean | undefined
  /** The name of the store whose pages these are; undefined for the main store. */
  area?: string | undefined
  current?: LinkName
  search?: Markup
  visitor?: Markup | undefined
}

/** The header of every page. */
export const siteHeader = ({ area, search, visitor, ...links }: Header): Markup => html`<header>
<a class="home" href="${links.root}/">${paw} <span class="word">Petstore</span>${area !== undefined && html` <span class="area">${area}</span>`}</a>
<nav aria-label="Site">${siteLinks(links)}</nav>
${search}
${visitor}
</header>`

type LinkName = "Store" | "Console" | "Reference" | "Errors"

const paths: readonly [LinkName, string][] = [
  ["Store", ""],
  ["Console", "console"],
  ["Reference", "docs"],
  ["Errors", "problems"],
]

export const siteLinks = ({ root, hasStore = true, current }: Pick<Header, "root" | "hasStore" | "current">): Markup =>
  html`${paths
    .filter(([name]) => hasStore || name !== "Store")
    .map(
      ([name, path]) => html`<a href="${root}/${path}"${name === current && html` aria-current="true"`}>${name}</a>`,
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

/** The menu of the visitor, or the way to sign in. */
export const visitorPart = (root: string, visitor: Visitor | undefined): Markup =>
  visitor
    ? personMenu(root, visitor.caller.user, sessionToken(visitor.token))
    : html`<a class="person" href="${root}/console/sign-in">Sign in</a>`
