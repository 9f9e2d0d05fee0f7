import { networkOf } from "../../../kernel/ip-address.ts"
import { type Problem, problem } from "../../../kernel/problem.ts"
import type { Actor } from "../../audit/model.ts"
import { auditRefusedLogin } from "../../audit/refused-login.ts"
import type { Ports, Tried } from "../../ports.ts"
import type { StoredUser } from "../store.ts"

const windowMs = 15 * 60 * 1000
const wrongMax = { byUserAndAddress: 10, byAddress: 100, byUser: 100 }

type SignIn = Pick<Ports, "store" | "passwords" | "attempts" | "clock">

/**
 * The user with this name and password: the one way to sign in with a password. Takes as long for a user who does not
 * exist, and lets nobody guess for long. `actor` is who tries.
 */
export async function signIn(
  tools: SignIn,
  { username, password }: { username: string; password: string },
  actor: Actor,
): Promise<StoredUser | Problem<"invalid-credentials"> | Problem<"too-many-attempts">> {
  const { store, passwords, attempts } = tools
  const { address = "" } = actor
  const tried = triedBy(username.toLowerCase(), networkOf(address) ?? address)
  const waitMs = await attempts.admit(tried, windowMs)
  if (waitMs !== undefined)
    return problem("too-many-attempts", "Too many attempts to log in went wrong", {
      retryAfter: Math.ceil(waitMs / 1000),
    })

  const found = await store.users.byName(username)
  const matches = await passwords.matches(password, found?.passwordHash)
  if (!found || !matches) {
    await auditRefusedLogin(tools, actor, found && `user:${found.user.id}`)
    return wrongPair
  }
  await attempts.forgive(tried)
  return found
}

/** Says nothing of which half is wrong. */
export const wrongPair = problem("invalid-credentials", "The username or the password is wrong")

const triedBy = (username: string, network: string): Tried[] => [
  { name: `password ${network} ${username}`, max: wrongMax.byUserAndAddress },
  { name: `password by ${network}`, max: wrongMax.byAddress },
  { name: `password of ${username}`, max: wrongMax.byUser },
]
