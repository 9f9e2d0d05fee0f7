import { html, type Markup } from "../html.ts"
import { alarm } from "./notice.ts"

/** What an action would do, asked before it is done. `detail` names what goes. */
export type Question = { title: string; detail?: string; button: string }

type QuestionPage = {
  question: Question
  /** The pending form, which is sent again together with the confirmation. */
  form: URLSearchParams
  /** The field of the confirmation. */
  confirmed: string
  /** The page that the question leaves. */
  cancelTo: string
  /** Where the password must be given. */
  password: { field: string; username: string; message: string | undefined } | undefined
}

export const questionMain = ({ question, form, confirmed, cancelTo, password }: QuestionPage): Markup => html`
<h1>${question.title}</h1>
${question.detail !== undefined && html`<p>${question.detail}</p>`}
${password && html`<p>Confirm with your password, which is asked for once every five minutes.</p>`}
${password?.message !== undefined && alarm(password.message, "failure")}
<form method="post" class="narrow">
${[...form].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="${confirmed}" value="yes">
${password && passwordField(password)}
<button class="danger">${question.button}</button>
<a class="quiet" href="${cancelTo}">Cancel</a>
</form>`

const passwordField = ({ field, username }: { field: string; username: string }): Markup => html`
<input type="text" value="${username}" autocomplete="username" hidden>
<label for="${field}">Password of ${username}</label>
<input id="${field}" name="${field}" type="password" required maxlength="128" autocomplete="current-password" autofocus>`
