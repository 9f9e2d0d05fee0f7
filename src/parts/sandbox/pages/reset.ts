import { counted } from "../../../core/kernel/counted.ts"
import { formOf } from "../../console/pages/form.ts"
import type { Asked, Visit } from "../../console/pages/page.ts"
import { fieldsOf } from "../../console/pages/parts/fields.ts"
import { inSentence } from "../../site/pages/parts/in-sentence.ts"
import { sandbox } from "../contract.ts"
import { inSandbox, sandboxPageOf, seedChoices } from "./sandbox-home.ts"
import type { SandboxCall } from "./sandbox-visit.ts"

const listedMax = 100

export const resetForm = formOf({
  action: "reset",
  fields: fieldsOf(sandbox.resetSandbox.query, {
    seed: {
      label: "Data afterwards",
      choices: seedChoices,
    },
    from: { hidden: "a copy is made on the page of its source" },
  }),
  async submit(visit, query) {
    const call = await inSandbox(visit)
    await call.resetSandbox({ query })
    const notice = `The sandbox was reset. It has ${counted(await countPets(call), "pet")} now, and the well-known keys and users`
    return visit.params.name === undefined
      ? { to: sandboxPageOf(visit), notice, endsSessions: true }
      : { to: sandboxPageOf(visit), notice }
  },
})

/** Names what goes; keys and webhooks are those of the account that the console acts for. */
export const resetQuestion: Asked = {
  password: true,
  always: true,
  async question(visit) {
    const call = await inSandbox(visit)
    const [pets, { value: webhooks }, { value: keys }] = await Promise.all([
      countPets(call),
      call.listWebhooks({ query: { limit: listedMax } }),
      call.listKeys({ query: { limit: listedMax } }),
    ])
    const listed = ({ length }: readonly unknown[], noun: string) =>
      length === listedMax ? `at least ${counted(length, noun)}` : counted(length, noun)
    const gone = inSentence([counted(pets, "pet"), listed(webhooks, "webhook"), listed(keys, "key")])
    return {
      title: "Reset the sandbox?",
      detail: `${gone} go, and all other data: orders, users, events and sign-ins. This cannot be undone.`,
      button: "Reset the sandbox",
    }
  },
}

async function countPets(call: Pick<SandboxCall, "getInventory">): Promise<number> {
  const { value } = await call.getInventory()
  return Object.values(value).reduce((sum, pets) => sum + pets, 0)
}

export const resetSection = (visit: Visit) =>
  resetForm.render(visit, { button: "Reset the sandbox…", variant: "danger", values: { seed: "initial" } })
