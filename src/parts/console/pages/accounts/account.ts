import type { Static } from "typebox"
import { accounts } from "../../../../core/domain/accounts/contract.ts"
import { html } from "../../../site/pages/html.ts"
import { actionButton } from "../../../site/pages/parts/action-button.ts"
import { detail, facts } from "../../../site/pages/parts/detail.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import { useOfLimits } from "../../../site/pages/parts/use-of-limits.ts"
import { formOf } from "../form.ts"
import { aKnownKey } from "../keys/key-state.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { apiRequest } from "../parts/api-request.ts"
import type { FormFields } from "../parts/fields.ts"
import { accountFields, accountNameField } from "./account-fields.ts"

type Changes = Static<typeof accounts.patchAccount.body>

const changesForm = (action: string, fields: FormFields<Changes>) =>
  formOf({
    action,
    fields,
    async submit(visit, body) {
      const { value } = await visit.call.patchAccount({ params: { id: idOf(visit) }, body })
      return { to: `/accounts/${value.id}`, notice: `${value.name} was saved with the plan ${value.plan}` }
    },
  })

const form = changesForm("save", accountFields.patching(accounts.patchAccount.body))
const nameForm = changesForm("rename", accountNameField.patching(accounts.patchAccount.body))

export const accountPage: ConsolePage = {
  path: "/accounts/:accountId",
  title: "Account",
  scope: "admin",
  async show(visit) {
    const called = await visit.call.getAccount({ params: { id: idOf(visit) } })
    const { value: account } = called
    const isKnown = await visit.hasKnownKey(account.id)
    return html`${heading(visit, { title: account.name })}
${account.id !== visit.account.id && html`<div class="doings">${actionButton(visit, { action: "act", label: "Act for this account", variant: "quiet small" })}</div>`}
${detail(
  html`${facts({ Id: account.id, Name: account.name, Plan: account.plan })}
${(isKnown ? nameForm : form).render(visit, { button: "Save", values: account, folded: "Edit" })}
<p class="soft">${isKnown ? `The account has ${aKnownKey}, so its plan cannot be changed.` : "A new plan applies from the account’s next request."}</p>`,
  html`<section class="tile"><h2>Usage</h2>
${useOfLimits(account.limits)}</section>`,
)}
${apiRequest(visit, called)}`
  },
  actions: {
    ...form.actions,
    ...nameForm.actions,
    /** From here on pages show the account's keys, applications, webhooks and events, and new ones belong to it. */
    async act(visit) {
      const { value } = await visit.call.getAccount({ params: { id: idOf(visit) } })
      return { to: `/accounts/${value.id}`, notice: `You act for ${value.name}`, account: value.id }
    },
  },
}

const idOf = ({ params }: Visit): number => Number(params.accountId)
