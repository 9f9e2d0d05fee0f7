import type { Handle } from "../../../../core/api/operations/steps.ts"
import type { Caller } from "../../../../core/domain/accounts/model.ts"
import { Problem } from "../../../../core/kernel/problem.ts"
import type { Exchange } from "../../../../core/server/exchange/exchange.ts"
import { asAdministrator, asRefused } from "../acting.ts"
import type { defectIds } from "../contract.ts"
import { changeJson, type Defects, key, on, onProblem, receivedBody } from "../defect.ts"

const ownOnly = "Customers see and change their own orders; those of others are 404 to them."
const scoped = "An operation needs its scope."
const credential = "An operation needs a valid credential."
const asCustomer = `$URL/api/v3/store/order/1 -H "authorization: Bearer $TOKEN_OF_USER2"`

/** Handles the request of a customer as if it were that of staff. */
function asStaff(exchange: Exchange<Caller>, next: Handle) {
  const { caller } = exchange
  const acting: Caller | undefined = caller?.user && { ...caller, user: { ...caller.user, role: "staff" } }
  if (acting) exchange.caller = acting
  return next(exchange)
}

const isAnonymous = ({ request: { headers } }: Exchange): boolean => !headers.api_key && !headers.authorization

const admitAnonymous = onProblem(["unauthorized"], (exchange, next, refusal) => {
  if (isAnonymous(exchange)) return asAdministrator(exchange, next)
  throw refusal
})

type Order = { id: number; status: string; complete: boolean }

/** Shows an order as delivered that was sent with `complete`. */
const showDelivered = changeJson<Order>((order, _exchange, memory) =>
  memory.has(`delivered ${order.id}`) ? { ...order, status: "delivered", complete: true } : order,
)

/** Who may do what. */
export const authorizationDefects: Defects<(typeof defectIds.authorization)[number]> = {
  "order-of-others-readable": {
    wrong: "A customer can read the orders of others.",
    breaks: ownOnly,
    see: asCustomer,
    seenWith: ["user token"],
    inside: { getOrderById: asStaff },
  },
  "order-of-others-deletable": {
    code: 306,
    wrong: "A customer can delete the orders of others.",
    breaks: ownOnly,
    see: `-X DELETE ${asCustomer}`,
    seenWith: ["user token"],
    inside: { deleteOrder: asStaff },
  },
  "existence-revealed": {
    code: 304,
    wrong: "The order of another customer is 403 to a customer, and one that does not exist 404.",
    breaks: ownOnly,
    see: `-i ${asCustomer}`,
    seenWith: ["user token"],
    inside: {
      getOrderById: onProblem(["order-not-found"], async (exchange, next, refusal) => {
        await Promise.resolve(asStaff(exchange, next)).catch(() => {
          throw refusal
        })
        throw new Problem("forbidden", "This order belongs to another customer")
      }),
    },
  },
  "scope-unchecked": {
    code: 306,
    wrong: "A pet can be deleted with a key that may only read.",
    breaks: scoped,
    see: '-i -X DELETE $URL/api/v3/pet/1 -H "api_key: $KEY_THAT_READS"',
    seenWith: ["reader key", "user token"],
    around: { deletePet: onProblem(["forbidden"], (exchange, next) => asAdministrator(exchange, next)) },
  },
  "revoked-key-accepted": {
    wrong: "A key or a token that was used before it was revoked is still accepted.",
    breaks: credential,
    see: '-i $URL/api/v3/pet/1 -H "api_key: $REVOKED_KEY"',
    around: {
      async any(exchange, next, memory) {
        const { authorization, api_key: key } = exchange.request.headers
        const used = `used ${authorization} ${key}`
        try {
          const response = await next(exchange)
          if (exchange.caller && (authorization || key)) memory.set(used, exchange.caller)
          return response
        } catch (error) {
          const caller = memory.get(used) as Caller | undefined
          if (!(error instanceof Problem) || error.code !== "unauthorized" || !caller) throw error
          return asRefused(exchange, next, caller)
        }
      },
    },
  },
  "anonymous-read": {
    code: 307,
    wrong: "A pet can be read without a credential.",
    breaks: credential,
    see: "-i $URL/api/v3/pet/1",
    around: { getPetById: admitAnonymous },
  },
  "anonymous-delete": {
    code: 308,
    wrong: "A pet can be deleted without a credential.",
    breaks: credential,
    see: "-i -X DELETE $URL/api/v3/pet/1",
    around: { deletePet: admitAnonymous },
  },
  "valid-key-unrecognized": {
    code: 305,
    wrong: "A valid key without the scope of an operation is 401 instead of 403.",
    breaks: "A valid credential without the scope is 403, so that the client does not sign in again.",
    see: "-i $URL/api/v3/accounts -H 'api_key: free-key'",
    seenWith: ["limited key", "reader key", "user token"],
    around: {
      any: onProblem(["forbidden"], () => {
        throw new Problem("unauthorized", "Sign in")
      }),
    },
  },
  "mass-assignment": {
    code: 303,
    wrong: "An order that is placed with `complete` is delivered at once.",
    breaks: "`status` and `complete` of a new order are ignored; staff approve and deliver.",
    see: `${key} $URL/api/v3/store/order -H 'content-type: application/json' -d '{"petId":2,"complete":true}'`,
    inside: {
      placeOrder(exchange, next, memory) {
        const isComplete = receivedBody(exchange)?.complete === true
        return changeJson<Order>((order) => {
          if (!isComplete) return order
          memory.set(`delivered ${order.id}`, true)
          return { ...order, status: "delivered", complete: true }
        })(exchange, next, memory)
      },
      ...on(["getOrderById"], showDelivered),
    },
  },
}
