import { AsyncLocalStorage } from "node:async_hooks"
import type { Actor, NewEntry } from "../../../core/domain/audit/model.ts"
import { actorOf } from "../../../core/domain/audit/rules.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { flawOf, type TokenFlaw } from "../endpoints/spoil-tokens.ts"

/** The request on whose behalf oidc-provider stores something; the library does not pass it to its storage. */
const acting = new AsyncLocalStorage<{ actor: Actor; noted: NewEntry[]; flaw: TokenFlaw | undefined }>()

/** Handles a request so that changes of storage are attributed to it. */
export const asRequestOf = <T>(exchange: Exchange, handle: (exchange: Exchange) => T): T =>
  acting.run({ actor: requestOf(exchange), noted: [], flaw: flawOf(exchange) }, handle, exchange)

/** The actor of a request without a credential. */
export const requestOf = ({ address, id }: Exchange): Actor => actorOf(undefined, { address, requestId: id })

/** Notes the sign-in of this person, for the next change of storage. */
export const recordSignIn = (userId: number): void =>
  void acting.getStore()?.noted.push({
    ...currentActor(),
    principal: `user:${userId}`,
    action: "session.created",
    thing: `user:${userId}`,
  })

/**
 * Returns the actor, and the noted entries to write with the next change. Call it before the transaction, which may run in the
 * context of another request.
 */
export const takePendingEntries = (): { actor: Actor; noted: NewEntry[] } => ({
  actor: currentActor(),
  noted: acting.getStore()?.noted.splice(0) ?? [],
})

/** The network address of the request. */
export const actingAddress = (): string => currentActor().address ?? ""

/** Whether access tokens that are issued to the request have expired already. */
export const issuesExpired = (): boolean => acting.getStore()?.flaw === "expired"

const currentActor = (): Actor => acting.getStore()?.actor ?? { principal: "service" }
