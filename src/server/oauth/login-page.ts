import type { Asking } from "./consent.ts"
import { escaped, page } from "./pages.ts"

type Given = { username: string; wrong?: string; hint: string | undefined }

/** Asks a person for their petstore password, saying which application sent them. */
export const loginPage = ({ clientName }: Asking, { username, wrong, hint }: Given): string =>
  page(
    wrong === undefined ? "Sign in" : "Could not sign in",
    `<h1>Sign in</h1>
<p>to go on to <strong>${escaped(clientName)}</strong></p>
${wrong === undefined ? "" : `<p class="alarm" role="alert" id="wrong">${escaped(wrong)}</p>`}
<form method="post">
<label for="username">Username</label>
<input id="username" name="username" value="${escaped(username)}" required maxlength="64" autocomplete="username"
  autocapitalize="none" spellcheck="false" ${username === "" ? "autofocus" : ""}
  ${wrong === undefined ? "" : 'aria-describedby="wrong"'}>
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="128" autocomplete="current-password"
  ${username === "" ? "" : "autofocus"} ${wrong === undefined ? "" : 'aria-describedby="wrong"'}>
<button name="answer" value="login">Sign in</button>
<button name="answer" value="deny" class="quiet" formnovalidate>Cancel</button>
</form>
${hint === undefined ? "" : `<p class="soft">${escaped(hint)}</p>`}`,
  )
