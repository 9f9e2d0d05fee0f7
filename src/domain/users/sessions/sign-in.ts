import { networkOf } from "../../../kernel/ip-address.ts"
import { type Problem, problem } from "../../../kernel/problem.ts"
import type { Ports, Tried } from "../../ports.ts"
import type { StoredUser } from "../store.ts"

const windowMs = 15 * 60 * 1000
const wrongMax = { byUserAndAddress: 10, byAddress: 100, byUser: 100 }

type SignIn = { username: string; password: string; address: string }

/**
 * The user with this name and password: the one way to sign in with a password. Takes as long for a user who does not
 * exist, and lets nobody guess for long.
 */
export async function signIn(
  { store, passwords, attempts }: Pick<Ports, "store" | "passwords" | "attempts">,
  { username, password, address }: SignIn,
): Promise<StoredUser | Problem<"invalid-credentials"> | Problem<"too-many-attempts">> {
  const tried = triedBy(username.toLowerCase(), networkOf(address) ?? address)
  const waitMs = await attempts.admit(tried, windowMs)
  if (waitMs !== undefined)
    return problem("too-many-attempts", "Too many attempts to log in went wrong", {
      retryAfter: Math.ceil(waitMs / 1000),
    })

  const found = await store.users.byName(username)
  const matches = await passwords.matches(password, found?.passwordHash)
  if (!found || !matches) return wrongPair
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
