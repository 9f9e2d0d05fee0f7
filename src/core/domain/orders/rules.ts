import { type Problem, problem } from "../../kernel/problem.ts"
import { exactly } from "../../kernel/schema/exactly.ts"
import type { Caller } from "../accounts/model.ts"
import { isStaff } from "../accounts/rules.ts"
import type { Pet, PetStatus } from "../pets/contract.ts"
import { Order, type OrderDraft, type OrderStatus } from "./contract.ts"

/** Returns the order if the caller may see it: customers their own, staff any. Otherwise refused like an absent one. */
export const requireOrder = <Found extends { accountId: number }>(found: Found | undefined, caller: Caller) =>
  found && (isStaff(caller) || caller.ownerId === found.accountId)
    ? found
    : problem("order-not-found", "Order not found")

/** Refuses an order when the customer has the maximum number of open orders. */
export const checkOrderLimit = (open: number, max: number) =>
  open < max
    ? open
    : problem(
        "too-many-open-orders",
        `You have ${open} undelivered orders; place another one when some have been delivered`,
      )

/** Only an available pet can be ordered. */
export const requireAvailable = ({ id, status }: Pet) =>
  status === "available" ? true : problem("pet-not-available", `Pet ${id} is ${status}, not available`)

export function composeOrder(draft: OrderDraft, id: number): Order {
  const { shipDate, ...rest } = draft
  return exactly(Order, {
    quantity: 1,
    ...rest,
    id,
    ...(shipDate !== undefined && { shipDate: rfc3339(shipDate) }),
    status: "placed",
    complete: false,
  })
}

/** Normalises to RFC 3339: the classic petstore writes `+0000` for `+00:00`. */
const rfc3339 = (time: string): string =>
  time
    .replace(/^(.{10})[t\s]/, "$1T")
    .replace(/z$/, "Z")
    .replace(/([+-]\d\d):?(\d\d)?$/, (_, hours: string, minutes = "00") => `${hours}:${minutes}`)

const next: Partial<Record<OrderStatus, OrderStatus>> = { placed: "approved", approved: "delivered" }

/** Moves the order to its next status. */
export function moveOrder(order: Order, to: OrderStatus): Order | Problem<"order-status-conflict"> {
  if (next[order.status] === to) return { ...order, status: to, complete: to === "delivered" }
  const may = next[order.status]
  return problem(
    "order-status-conflict",
    `Order ${order.id} is ${order.status} and ${may ? `can only become ${may}` : "cannot change"}`,
  )
}

/** The status that an order gives its pet. */
export const petStatusOf = ({ status }: Order): PetStatus => (status === "delivered" ? "sold" : "pending")
