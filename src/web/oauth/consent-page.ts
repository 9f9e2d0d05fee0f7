import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { html } from "../html.ts"
import { renderFormPage } from "./form-page.ts"
import { describeScope } from "./scope-words.ts"

/** Somebody whose password everybody knows. */
export type SamplePerson = { username: string; password: string }

/** What a person is asked to allow, and for which application. */
type ConsentQuestion = {
  clientName: string
  /** Where the browser goes afterwards: shown, and the only foreign origin the form may lead to. */
  redirectOrigin: string
  person: { username: string }
  scopes: readonly string[]
  /** Scopes that were asked for but that the client or the person cannot have. */
  beyond: readonly string[]
  /** Who may allow more of it. */
  suggested: SamplePerson | undefined
  switchUrl: string
  consentsUrl: string
}

export const consentPage = (
  { clientName, redirectOrigin, person, scopes, beyond, suggested, switchUrl, consentsUrl }: ConsentQuestion,
  token: string,
): HttpResponse =>
  renderFormPage(
    {
      title: `Allow ${clientName}? · Petstore`,
      root: "../..",
      main: html`
<h1>Allow ${clientName}?</h1>
<p>It asks to act for you, <strong>${person.username}</strong>. It will be able to:</p>
<ul aria-label="What it will be able to do">${scopes.map(
        (scope) => html`
<li>${describeScope(scope)} <code>${scope}</code></li>`,
      )}
</ul>
${beyond.length > 0 && html`<p class="soft">It also asked for what you cannot allow: ${beyond.join(", ")}.</p>`}
${suggested && html`<p class="soft">In this sandbox ${suggested.username} (password ${suggested.password}) is staff and may allow more of it: <a href="${switchUrl}">sign in as somebody else</a>.</p>`}
<p class="soft">Either way you go back to ${redirectOrigin}. The application does not see your password.</p>
<form method="post">
<input type="hidden" name="form" value="${token}">
<button name="answer" value="allow">Allow</button>
<button name="answer" value="deny" class="quiet">Do not allow</button>
</form>
<p><a href="${switchUrl}">Sign in as somebody else</a> · <a href="${consentsUrl}">What you have allowed so far</a></p>`,
    },
    [redirectOrigin],
  )
