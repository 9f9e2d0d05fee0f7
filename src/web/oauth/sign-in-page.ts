import type { Destination } from "../../http/oauth/destination.ts"
import { escaped, page } from "./pages.ts"

type Given = { username: string; wrong?: string; token: string; hint: string | undefined }

/** Asks a person for their petstore password, saying which application sent them. */
export const loginPage = (
  { clientName, declined }: Pick<Destination, "clientName" | "declined">,
  { username, wrong, token, hint }: Given,
): string =>
  page(
    wrong === undefined ? "Sign in" : "Could not sign in",
    `<h1>Sign in</h1>
<p>${clientName === undefined ? "to see what you have allowed applications to do" : `to go on to <strong>${escaped(clientName)}</strong>`}</p>
${wrong === undefined ? "" : `<p class="alarm" role="alert" id="wrong">${escaped(wrong)}</p>`}
<form method="post">
<input type="hidden" name="form" value="${token}">
<label for="username">Username</label>
<input id="username" name="username" value="${escaped(username)}" required maxlength="64" autocomplete="username"
  autocapitalize="none" spellcheck="false" ${username === "" ? "autofocus" : ""}
  ${wrong === undefined ? "" : 'aria-describedby="wrong"'}>
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="128" autocomplete="current-password"
  ${username === "" ? "" : "autofocus"} ${wrong === undefined ? "" : 'aria-describedby="wrong"'}>
<button name="answer" value="login">Sign in</button>
${declined === undefined ? "" : '<button name="answer" value="deny" class="quiet" formnovalidate>Cancel</button>'}
</form>
${hint === undefined ? "" : `<p class="soft">${escaped(hint)}</p>`}`,
  )
