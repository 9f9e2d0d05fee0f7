import { html } from "../../../site/pages/html.ts"
import { formPage } from "../form-page.ts"
import { accountFields } from "./account-fields.ts"

export const newAccountPage = formPage({
  path: "/accounts/new",
  title: "Open an account",
  scope: "admin",
  about: {
    intro: html`<p class="soft">For users who do not register themselves, or for a program. A new account has no keys.</p>`,
    values: { plan: "free" },
    button: "Open the account",
  },
  action: "open",
  fields: accountFields,
  async submit({ call }, body) {
    const { value } = await call.createAccount({ body })
    return { to: `/accounts/${value.id}`, notice: `${value.name} was opened` }
  },
})
