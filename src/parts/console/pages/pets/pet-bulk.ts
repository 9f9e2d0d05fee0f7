import { PetStatus } from "../../../../core/domain/pets/contract.ts"
import { html } from "../../../site/pages/html.ts"
import { valueUnless } from "../../../site/serving/call.ts"
import { bulkAction, bulkQuestion } from "../bulk.ts"
import type { Visit } from "../page.ts"

export const petBulkControls = html`<label class="unseen" for="bulk-status">New status</label>
<select id="bulk-status" name="status" required><option value="">New status…</option>${PetStatus.enum.map((status) => html`<option>${status}</option>`)}</select>
<button class="quiet small" name="action" value="set-status">Set the status</button>
<button class="danger small" name="action" value="delete" formnovalidate>Delete</button>`

const describe = async ({ call }: Visit, id: number) => {
  const pet = await valueUnless("pet-not-found", call.getPetById({ params: { petId: id } }))
  return pet ? { name: pet.name, path: `/pets/${id}` } : { name: `Pet ${id}` }
}

export const petDeletion = bulkQuestion({ verb: "Delete", noun: "pet", describe })

export const petBulkActions = {
  "set-status": bulkAction({
    noun: "pet",
    done: (form) => `set to ${form.get("status")}`,
    // A text that is no status is refused by the operation.
    change: ({ call }, { id, etag }, form) =>
      call.patchPet({
        params: { petId: id },
        body: { status: (form.get("status") ?? "") as PetStatus },
        ifMatch: etag ?? "",
      }),
    describe,
    labelOf: (name) => (name === "status" ? "New status" : undefined),
  }),
  delete: bulkAction({
    noun: "pet",
    done: () => "deleted",
    change: ({ call }, { id, etag }) => call.deletePet({ params: { petId: id }, ifMatch: etag ?? "" }),
    describe,
  }),
}
