import { accounts } from "../../domain/accounts/contract.ts"
import { html } from "../html.ts"
import { failureNotice } from "../parts/failure.ts"
import { fieldsOf } from "../parts/fields.ts"
import { postForm } from "../parts/post-form.ts"
import type { ConsolePage } from "./page.ts"

/** Opens an account on a plan. */
export const newAccountPage: ConsolePage = {
  path: "/accounts/new",
  title: "Open an account",
  scope: "admin",
  show: async (visit) => html`<p class="back"><a href="${visit.root}/accounts">All accounts</a></p>
<h1>Open an account</h1>
<p class="soft">For people who do not register themselves, or a program. It has no key yet.</p>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`${fields.render({ values: { plan: "free" }, failure: visit.failure })}
<button>Open the account</button>`,
  { action: "open" },
)}`,
  actions: {
    open: {
      async run({ call }, form) {
        const { value } = await call.createAccount({ body: fields.read(form) })
        return { to: `/accounts/${value.id}`, notice: `${value.name} was opened` }
      },
    },
  },
}

const fields = fieldsOf(accounts.createAccount.body, { name: { label: "Name" }, plan: { label: "Plan" } })
