import { html } from "../../html.ts"
import { heading } from "../../parts/heading.ts"
import { useOfLimits } from "../../parts/use-of-limits.ts"
import { formOf } from "../form.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { accountFields } from "./account-fields.ts"

const form = formOf({
  action: "save",
  fields: accountFields,
  async submit(visit, body) {
    const { value } = await visit.call.patchAccount({ params: { id: idOf(visit) }, body })
    return { to: `/accounts/${value.id}`, notice: `${value.name} was saved with the plan ${value.plan}` }
  },
})

export const accountPage: ConsolePage = {
  path: "/accounts/:accountId",
  title: "Account",
  scope: "admin",
  async show(visit) {
    const { value: account } = await visit.call.getAccount({ params: { id: idOf(visit) } })
    return html`${heading(visit, { title: account.name })}
<p class="soft">Account ${account.id}. A new plan applies from the account’s next request.</p>
<section class="tile"><h2>Usage</h2>
${useOfLimits(account.limits)}</section>
${form.render(visit, { button: "Save", values: account })}`
  },
  actions: form.actions,
}

const idOf = ({ params }: Visit): number => Number(params.accountId)
