import { html, type Markup } from "../html.ts"
import { alarm } from "./notice.ts"

type PasswordQuestion = {
  /** What was asked for, and goes on with the password. */
  form: URLSearchParams
  field: string
  username: string
  message: string | undefined
}

export const passwordMain = ({ form, field, username, message }: PasswordQuestion): Markup => html`
<h1>Confirm with your password</h1>
<p>This cannot be taken back, or hands out a credential. Your password is asked for once in five minutes.</p>
${message !== undefined && alarm(message, "failure")}
<form method="post" class="narrow">
${[...form].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="text" value="${username}" autocomplete="username" hidden>
<label for="${field}">Password of ${username}</label>
<input id="${field}" name="${field}" type="password" required maxlength="128" autocomplete="current-password" autofocus>
<button>Confirm</button>
</form>`
