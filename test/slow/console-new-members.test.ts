// Runs in a process of its own.
import assert from "node:assert/strict"
import { test } from "node:test"
import { Pet, PetDraft, PetPatch, PetReplacement } from "../../src/core/domain/pets/contract.ts"
import { User, UserReplacement } from "../../src/core/domain/users/contract.ts"
import { Type } from "../../src/core/kernel/schema/type.ts"
import { appoint, people, signedIn } from "../harness/console.ts"
import { before, usePetstore } from "../harness/use.ts"

/** Members that a later version adds, as CONTRIBUTING.md says, and that no form shows yet. */
for (const { properties } of [Pet, PetDraft, PetPatch, PetReplacement, User, UserReplacement])
  Object.assign(properties, { weight: Type.Optional(Type.Integer()) })

const petstore = usePetstore()
before(() => appoint(petstore))
const api = petstore.as("special-key")
const rex = {
  name: "Rex",
  photoUrls: ["a.jpg"],
  weight: 9,
  category: { name: "Dogs" },
  tags: [{ name: "calm" }],
}

test("a form of the console keeps the members of a pet that it does not show, and clears the fields that were emptied", async () => {
  const { value: pet } = await api.addPet({ body: rex })
  const admin = await signedIn(petstore, "admin")
  await admin.go(`/console/pets/${pet.id}`)
  const fields = { name: "Max", category: "", status: "sold", tags: "", photoUrls: "a.jpg", action: "save" }
  assert.match((await admin.submit(fields)).html, /Max was saved/)
  const { value } = await api.getPetById({ params: { petId: pet.id } })
  const { category, ...kept } = pet
  assert.deepEqual(value, { ...kept, name: "Max", status: "sold", tags: [], weight: 9 })
  assert.equal(category?.name, "Dogs")
})

test("a pet that changed since the page was shown is not overwritten", async () => {
  const { value: pet } = await api.addPet({ body: rex })
  const admin = await signedIn(petstore, "admin")
  await admin.go(`/console/pets/${pet.id}`)
  await api.patchPet({ params: { petId: pet.id }, body: { name: "Changed" } })
  const fields = { name: "Max", category: "Dogs", status: "available", tags: "", photoUrls: "", action: "save" }
  assert.equal((await admin.submit(fields)).status, 412)
  assert.equal((await api.getPetById({ params: { petId: pet.id } })).value.name, "Changed")
})

test("forms of the record and of the password keep the members of a user that they do not show", async () => {
  const params = { username: people.admin }
  const record = { firstName: "Ada", phone: "555", userStatus: 3 }
  const { value: before } = await api.updateUser({ params, body: { ...record, ...{ weight: 9 } } })
  const admin = await signedIn(petstore, "admin")
  await admin.go("/console/profile")
  const shown = { username: people.admin, firstName: "", lastName: "", email: "", phone: "556", currentPassword: "" }
  assert.match((await admin.submit({ ...shown, action: "save" })).html, /Your profile was saved/)
  const { firstName: _, ...kept } = before
  assert.deepEqual((await api.getUserByName({ params })).value, { ...kept, phone: "556" })

  await admin.go("/console/profile/password")
  await admin.submit({ password: "another one", currentPassword: "password3", action: "change" })
  assert.deepEqual((await api.getUserByName({ params })).value, { ...kept, phone: "556" })
})
