import { html } from "../../html.ts"
import { formPage } from "../form-page.ts"
import { accountFields } from "./account-fields.ts"

export const newAccountPage = formPage({
  path: "/accounts/new",
  title: "Open an account",
  scope: "admin",
  about: {
    intro: html`<p class="soft">For people who do not register themselves, or a program. It has no key yet.</p>`,
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
