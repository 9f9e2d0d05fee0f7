import type { Order } from "../../../../core/domain/orders/contract.ts"
import type { OrderRecord } from "../../../../core/domain/orders/records/contract.ts"
import type { Pet } from "../../../../core/domain/pets/contract.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { type Call, valueUnless } from "../../../site/serving/call.ts"
import type { Visit } from "../page.ts"
import { userPath } from "../users/user-record.ts"

/** The pet of a delivered order may have been deleted. */
export async function petNames(call: Call, orders: readonly Order[]): Promise<(petId: number) => string | undefined> {
  const ids = [...new Set(orders.map(({ petId }) => petId))]
  const names = new Map(await Promise.all(ids.map(async (id) => [id, (await findPet(call, id))?.name] as const)))
  return (petId) => names.get(petId)
}

/** Leads to the pet of an order; without a name it was deleted. */
export const petOfOrder = ({ root }: Visit, { petId }: Order, name: string | undefined): Markup | string =>
  name === undefined ? `${petId} (deleted)` : html`<a href="${root}/pets/${petId}">${name}</a>`

/** Who has placed an order: the user, or the account of the program. */
export function customerOf({ root, mayGo }: Visit, { username, accountId, accountName }: OrderRecord): Markup | string {
  const [path, name] =
    username === undefined
      ? ([`/accounts/${accountId}`, accountName] as const)
      : ([userPath(username), username] as const)
  return mayGo(path) ? html`<a href="${root}${path}">${name}</a>` : (name ?? "")
}

export const findPet = (call: Call, petId: number): Promise<Pet | undefined> =>
  valueUnless("pet-not-found", call.getPetById({ params: { petId } }))
