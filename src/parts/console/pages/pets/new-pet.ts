import { formPage } from "../form-page.ts"
import { petFields } from "./pet-fields.ts"

export const newPetPage = formPage({
  path: "/pets/new",
  title: "Add a pet",
  scope: "write:pets",
  about: { values: { status: "available" }, button: "Add the pet" },
  action: "add",
  fields: petFields,
  async submit({ call }, body) {
    const { value: pet } = await call.addPet({ body })
    return { to: `/pets/${pet.id}`, notice: `${pet.name} was added` }
  },
})
