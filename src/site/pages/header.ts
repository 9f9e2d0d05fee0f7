import type { Role } from "../../domain/scopes.ts"
import { html, type Markup } from "./html.ts"
import { postForm } from "./parts/post-form.ts"
import { paw } from "./paw.ts"

/** A signed-in visitor, and the token of their forms. */
export type SignedIn = { username: string; role: Role; token: string }

export type Header = {
  /** Relative path from the page to the site's root; empty when the page's address is unknown. */
  root: string
  /** Whether `/` is a public store: true when absent. Without one it redirects to the console. */
  hasStore?: boolean | undefined
  /** The name of the sandbox whose pages these are; undefined for the service itself. */
  sandbox?: string | undefined
  current?: LinkName
  search?: Markup
  visitor?: Markup | undefined
}

/** The header of every page. */
export const siteHeader = ({ sandbox, search, visitor, ...links }: Header): Markup => html`<header>
<a class="home" href="${links.root}/">${paw} <span class="word">Petstore</span>${sandbox !== undefined && html` <span class="area">${sandbox}</span>`}</a>
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

/** The menu of a signed-in person, which opens and closes without a script. */
export const personMenu = (
  root: string,
  { username, role, token }: SignedIn,
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
export const visitorPart = (root: string, person: SignedIn | undefined): Markup =>
  person ? personMenu(root, person) : html`<a class="person" href="${root}/console/sign-in">Sign in</a>`
