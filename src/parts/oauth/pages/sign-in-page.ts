import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { command } from "../../../program.ts"
import type { Header } from "../../site/pages/header.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { alarm } from "../../site/pages/parts/notice.ts"
import type { SamplePerson } from "../../site/sample-person.ts"
import { renderFormPage } from "./form-page.ts"

export type SignInForm = {
  /** The purpose of signing in, as the end of a sentence; or the name of the application to continue to. */
  continuing: string | { to: string }
  /** Additional origins for `form-action`. */
  origins: readonly string[]
  mayCancel: boolean
  username: string
  failure?: SignInFailure
  /** Why the visitor has to sign in. */
  notice?: string | undefined
} & SignInHelp &
  Pick<Header, "root" | "area" | "links">

export type SignInHelp = {
  /** Users whose passwords are public, to sign in as with one click. */
  people: readonly SamplePerson[]
  /** Whether anybody can sign in. */
  hasUsers: boolean
}

export type SignInFailure = { message: string; status: number }

export const signInPage = (form: SignInForm, token: string): HttpResponse =>
  renderFormPage(
    {
      title: form.failure ? "Could not sign in · Petstore" : "Sign in · Petstore",
      root: form.root,
      area: form.area,
      links: form.links,
      status: form.failure?.status ?? 200,
      main: html`
<h1>Sign in</h1>
<p>${typeof form.continuing === "string" ? form.continuing : html`to continue to <strong><bdi>${form.continuing.to}</bdi></strong>`}</p>
${form.notice && alarm(form.notice, "notice")}
${form.failure && alarm(form.failure.message, "failure")}
<form method="post">
<input type="hidden" name="form" value="${token}">
${fields(form)}
<button name="answer" value="login">Sign in</button>
${form.mayCancel && html`<button name="answer" value="deny" class="quiet" formnovalidate>Cancel</button>`}
</form>
${form.people.length > 0 && samples(form.people, token)}
${!form.hasUsers && noUsers}`,
    },
    form.origins,
  )

const samples = (people: readonly SamplePerson[], token: string): Markup => html`
<p class="soft">This is a sandbox. Sign in as</p>
<div class="choices">${people.map(
  ({ role, username, password }) => html`
<form method="post">
<input type="hidden" name="form" value="${token}">
<input type="hidden" name="username" value="${username}">
<input type="hidden" name="password" value="${password}">
<button name="answer" value="login" class="quiet" title="${username}, password ${password}">${role}</button>
</form>`,
)}
</div>`

const noUsers = html`<p class="soft">There are no users yet. Create the first one on the command line, with an API key that has the scope
<code>admin</code>: <code>${command} users register --username NAME</code>, then <code>${command} users grant NAME admin</code>.</p>`

function fields({ username, failure }: SignInForm): Markup {
  const described = failure && html` aria-describedby="failure"`
  const [first, second] = username === "" ? [html` autofocus`, undefined] : [undefined, html` autofocus`]
  return html`<label for="username">Username</label>
<input id="username" name="username" value="${username}" required maxlength="64" autocomplete="username"
  autocapitalize="none" spellcheck="false"${first}${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="128"
  autocomplete="current-password"${second}${described}>`
}
