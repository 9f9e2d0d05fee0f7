import type { Client } from "../../src/client/client.ts"
import type { ApiContract } from "../../src/core/domain/api.ts"
import type { PetDraft } from "../../src/core/domain/pets/contract.ts"

let count = 0
const unique = (kind: string) => `${kind}-${++count}`

/** Adds a pet, by default with a name of its own and without photos; resolves with its id. */
export async function newPet(as: Pick<Client<ApiContract>, "addPet">, draft: Partial<PetDraft> = {}): Promise<number> {
  return (await as.addPet({ body: { name: unique("pet"), photoUrls: [], ...draft } })).value.id
}

/** Adds a pet of each name, in order. */
export async function newPets(as: Pick<Client<ApiContract>, "addPet">, ...names: string[]): Promise<void> {
  for (const name of names) await newPet(as, { name })
}

/** Places an order, by default for a new pet, which `as` must then be allowed to add; resolves with its id. */
export async function newOrder(
  as: Pick<Client<ApiContract>, "addPet" | "placeOrder">,
  petId?: number,
): Promise<number> {
  return (await as.placeOrder({ body: { petId: petId ?? (await newPet(as)) } })).value.id
}

/** Registers a person with a name of their own; resolves with what a sign-in and their record need. */
export async function newUser(as: Pick<Client<ApiContract>, "createUser">) {
  const [username, password] = [unique("user"), "correct horse battery staple"]
  const { value } = await as.createUser({ body: { username, password } })
  return { ...value, username, password }
}
