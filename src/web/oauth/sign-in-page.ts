import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { html, type Markup } from "../html.ts"
import { alarm } from "../parts/notice.ts"
import { renderFormPage } from "./form-page.ts"

/** The content of the sign-in form. */
export type SignInForm = {
  /** The purpose of signing in, as the end of a sentence; or the name of the application to continue to. */
  continuing: string | { to: string }
  /** Additional origins for `form-action`. */
  origins: readonly string[]
  mayCancel: boolean
  username: string
  failure?: SignInFailure
  hint: string | undefined
}

export type SignInFailure = { message: string; status: number }

export const signInPage = (form: SignInForm, token: string): HttpResponse =>
  renderFormPage(
    {
      title: form.failure ? "Could not sign in · Petstore" : "Sign in · Petstore",
      root: "..",
      status: form.failure?.status ?? 200,
      main: html`
<h1>Sign in</h1>
<p>${typeof form.continuing === "string" ? form.continuing : html`to continue to <strong>${form.continuing.to}</strong>`}</p>
${form.failure && alarm(form.failure.message, "failure")}
<form method="post">
<input type="hidden" name="form" value="${token}">
${fields(form)}
<button name="answer" value="login">Sign in</button>
${form.mayCancel && html`<button name="answer" value="deny" class="quiet" formnovalidate>Cancel</button>`}
</form>
${form.hint !== undefined && html`<p class="soft">${form.hint}</p>`}`,
    },
    form.origins,
  )

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
