import { html } from "../html.ts"
import { failureNotice } from "../parts/failure.ts"
import { postForm } from "../parts/post-form.ts"
import type { ConsolePage } from "./page.ts"
import { petFields } from "./pet-fields.ts"

/** Adds a pet. */
export const newPetPage: ConsolePage = {
  path: "/pets/new",
  title: "Add a pet",
  scope: "write:pets",
  show: async (visit) => html`<h1>Add a pet</h1>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`${petFields.render({ values: { status: "available" }, failure: visit.failure })}
<button>Add the pet</button>`,
  { action: "add" },
)}`,
  actions: {
    add: {
      async run({ call }, form) {
        const { value: pet } = await call.addPet({ body: petFields.read(form) })
        return { to: `/pets/${pet.id}`, notice: `${pet.name} was added` }
      },
    },
  },
}
