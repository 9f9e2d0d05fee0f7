import type { Operation, Part } from "../../context.ts"
import { looksMinted } from "../../keys/secret.ts"
import type { sessions } from "./contract.ts"

export const logOut: Operation<typeof sessions.logOut> = (ctx) => endSession(ctx)

export const logoutUser: Operation<typeof sessions.logoutUser> = (ctx) => endSession(ctx)

type Ending = Part<"store" | "bearer" | "sha256" | "credentialsChanged">

async function endSession({ store, bearer, sha256, credentialsChanged }: Ending) {
  const hash = bearer !== undefined && looksMinted(bearer, "pss_") ? sha256(bearer) : undefined
  const found = hash && (await store.sessions.byHash(hash))
  if (found) {
    await store.transaction((tx) => tx.sessions.end(found.session.hash))
    credentialsChanged(found.account.id)
  }
  return { code: 200, type: "success", message: "Logged out" }
}
