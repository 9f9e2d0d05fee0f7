import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { html } from "../../site/pages/html.ts"
import type { SamplePerson } from "../../site/sample-person.ts"
import { renderFormPage } from "./form-page.ts"
import { describeScope } from "./scope-words.ts"

export type ConsentQuestion = {
  clientName: string
  /** Origin of the redirect URI: displayed, and allowed in `form-action`. */
  redirectOrigin: string
  person: { username: string }
  scopes: readonly string[]
  /** Requested scopes that the client or the user may not have. */
  beyond: readonly string[]
  /** A sample user who may grant more of the requested scopes. */
  suggested: SamplePerson | undefined
  switchUrl: string
  /** The page of the person's consents; a named store has none. */
  consentsUrl: string | undefined
  /** Path to the site's root, without a trailing slash. */
  root: string
}

export const consentPage = (
  { clientName, redirectOrigin, person, scopes, beyond, suggested, switchUrl, consentsUrl, root }: ConsentQuestion,
  token: string,
): HttpResponse =>
  renderFormPage(
    {
      title: `Allow ${clientName}? · Petstore`,
      root,
      main: html`
<h1>Allow <bdi>${clientName}</bdi>?</h1>
<p>It requests access on behalf of <strong>${person.username}</strong>. It will be able to:</p>
<ul aria-label="What it will be able to do">${scopes.map(
        (scope) => html`
<li>${describeScope(scope)} <code>${scope}</code></li>`,
      )}
</ul>
${beyond.length > 0 && html`<p class="soft">It also requested scopes that you cannot grant: ${beyond.join(", ")}.</p>`}
${suggested && html`<p class="soft">In this sandbox ${suggested.username} (password ${suggested.password}) is staff and may grant more: <a href="${switchUrl}">sign in as another user</a>.</p>`}
<p class="soft">You return to ${redirectOrigin} in either case. The application does not see your password.</p>
<form method="post">
<input type="hidden" name="form" value="${token}">
<button name="answer" value="allow">Allow</button>
<button name="answer" value="deny" class="quiet">Do not allow</button>
</form>
<p><a href="${switchUrl}">Sign in as another user</a>${consentsUrl && html` · <a href="${consentsUrl}">Your consents</a>`}</p>`,
    },
    [redirectOrigin],
  )
