import type { ContextPart, Verb } from "../../context.ts"
import { looksMinted } from "../../keys/secret.ts"

export const logOut: Verb<"logOut"> = (ctx) => endSession(ctx)

export const logoutUser: Verb<"logoutUser"> = (ctx) => endSession(ctx)

type Ending = ContextPart<"store" | "bearer" | "sha256" | "credentialsChanged", never, "session.ended">

async function endSession({ store, bearer, sha256, credentialsChanged, audit }: Ending) {
  const hash = bearer !== undefined && looksMinted(bearer, "pss_") ? sha256(bearer) : undefined
  const found = hash && (await store.sessions.byHash(hash))
  if (found) {
    const { session, user, account } = found
    const credential = `session:${session.id}` as const
    await store.transaction(async (tx) => {
      if (!(await tx.sessions.end(session.hash))) return
      audit("session.ended", credential, { by: { principal: `user:${user.id}`, credential, account: account.id } })
    })
    credentialsChanged(found.account.id)
  }
  return { code: 200, type: "success", message: "User logged out" }
}
