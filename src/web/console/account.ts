import { accounts } from "../../domain/accounts/contract.ts"
import { html } from "../html.ts"
import { failureNotice } from "../parts/failure.ts"
import { fieldsOf } from "../parts/fields.ts"
import { postForm } from "../parts/post-form.ts"
import { useOfLimits } from "../parts/use-of-limits.ts"
import type { ConsolePage, Visit } from "./page.ts"

/** An account: its name and its plan. */
export const accountPage: ConsolePage = {
  path: "/accounts/:accountId",
  title: "Account",
  scope: "admin",
  async show(visit) {
    const { value: account } = await visit.call.getAccount({ params: { id: idOf(visit) } })
    return html`<p class="back"><a href="${visit.root}/accounts">All accounts</a></p>
<h1>${account.name}</h1>
<p class="soft">Account ${account.id}. A new plan applies from its next request on.</p>
<section class="tile"><h2>Use</h2>
${useOfLimits(account.limits)}</section>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`${fields.render({ values: account, failure: visit.failure })}
<button>Save</button>`,
  { action: "save" },
)}`
  },
  actions: {
    save: {
      async run(visit, form) {
        const { value } = await visit.call.patchAccount({ params: { id: idOf(visit) }, body: fields.read(form) })
        return { to: `/accounts/${value.id}`, notice: `${value.name} is on the plan ${value.plan}` }
      },
    },
  },
}

const idOf = ({ params }: Visit): number => Number(params.accountId)

const fields = fieldsOf(accounts.createAccount.body, { name: { label: "Name" }, plan: { label: "Plan" } })
