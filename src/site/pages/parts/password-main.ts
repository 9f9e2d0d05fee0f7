import { html, type Markup } from "../html.ts"
import { alarm } from "./notice.ts"

type PasswordQuestion = {
  /** The pending form, which is sent again together with the password. */
  form: URLSearchParams
  field: string
  username: string
  message: string | undefined
}

export const passwordMain = ({ form, field, username, message }: PasswordQuestion): Markup => html`
<h1>Confirm with your password</h1>
<p>This action cannot be undone or creates a credential. You confirm it with your password once every five minutes.</p>
${message !== undefined && alarm(message, "failure")}
<form method="post" class="narrow">
${[...form].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="text" value="${username}" autocomplete="username" hidden>
<label for="${field}">Password of ${username}</label>
<input id="${field}" name="${field}" type="password" required maxlength="128" autocomplete="current-password" autofocus>
<button>Confirm</button>
</form>`
