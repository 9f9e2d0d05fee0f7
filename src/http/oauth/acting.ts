import { AsyncLocalStorage } from "node:async_hooks"
import type { Actor, NewEntry } from "../../domain/audit/model.ts"
import { actorOf } from "../../domain/audit/rules.ts"
import type { Exchange } from "../pipeline/exchange.ts"

/** On whose behalf oidc-provider stores something, which it does not tell its storage. */
const acting = new AsyncLocalStorage<{ actor: Actor; noted: NewEntry[] }>()

/** Handles a request so that what is stored meanwhile is known to come from it. */
export const actFor = <T>(exchange: Exchange, handle: (exchange: Exchange) => T): T =>
  acting.run({ actor: requestOf(exchange), noted: [] }, handle, exchange)

/** Who sends a request, as far as it says itself. */
export const requestOf = ({ address, id }: Exchange): Actor => actorOf(undefined, { address, requestId: id })

/** Has what is stored next note that this person signed in. */
export const noteSignIn = (userId: number): void =>
  void acting.getStore()?.noted.push({
    ...currentActor(),
    principal: `user:${userId}`,
    action: "session.created",
    thing: `user:${userId}`,
  })

/**
 * Who acts, and what was noted and is written with the change that comes now. To be asked before its transaction: inside
 * one it may be somebody else's turn.
 */
export const takeActing = (): { actor: Actor; noted: NewEntry[] } => ({
  actor: currentActor(),
  noted: acting.getStore()?.noted.splice(0) ?? [],
})

const currentActor = (): Actor => acting.getStore()?.actor ?? { principal: "service" }
