import { networkBudgets, networkOf } from "../../../kernel/network/ip-address.ts"
import { type Problem, problem } from "../../../kernel/problem.ts"
import type { Actor } from "../../audit/model.ts"
import { auditRefusedLogin } from "../../audit/refused-login.ts"
import type { Ports } from "../../ports/ports.ts"
import type { StoredUser } from "../model.ts"

const minuteMs = 60_000
const windowMs = 15 * minuteMs
/** Wrong passwords in a window after which an address is refused. */
const wrongMax = { byUserAndAddress: 10, byAddress: 100 }
/** Wrong passwords for a user after which further attempts wait. SECURITY.md states the resulting number per day. */
export const atOnceMax = 50
export const pace = { windowMs, pausesMs: [1_000, 2_000, 4_000, 8_000, 16_000] }
/** How long a user's known address is exempt from waiting. */
const knownMs = 7 * 24 * 60 * minuteMs

type SignIn = Pick<Ports, "store" | "passwords" | "attempts" | "clock">

/**
 * Checks a username and password; nothing else does. Takes as long for an unknown user and bounds guessing: wrong
 * passwords block only the address they come from; a user guessed at from many addresses waits, except at known addresses.
 */
export async function signIn(
  tools: SignIn,
  { username, password }: { username: string; password: string },
  actor: Actor,
  { isKnown = false } = {},
): Promise<StoredUser | Problem<"invalid-credentials"> | Problem<"too-many-attempts">> {
  const { store, passwords, attempts } = tools
  const name = username.toLowerCase()
  const { address = "" } = actor
  const tried = triedBy(name, address)
  const counted = [...tried.ofUser, ...tried.byAddress]
  const waitMs = await attempts.admit(counted, windowMs)
  if (waitMs !== undefined) return tooMany(waitMs)

  if (!isKnown && !(await attempts.isRemembered(tried.known))) {
    const ofAll = { name: `password of ${name}`, max: atOnceMax }
    const refusedMs = await attempts.enqueue(ofAll, tried.ofUser, pace)
    if (refusedMs !== undefined) {
      // Still counted for the user and address, so that persistent addresses come last.
      await attempts.forgive(tried.byAddress)
      return tooMany(refusedMs)
    }
    counted.push(ofAll)
  }

  const found = await store.users.byName(username)
  const matches = await passwords.matches(password, found?.passwordHash)
  if (!found || !matches) {
    await auditRefusedLogin(tools, actor, found && `user:${found.user.id}`)
    return wrongPair
  }
  await attempts.forgive(counted)
  await attempts.remember(tried.known, knownMs)
  return found
}

const tooMany = (waitMs: number) =>
  problem("too-many-attempts", "Too many attempts to log in", { retryAfter: Math.ceil(waitMs / 1000) })

/** Does not reveal which of the two is wrong. */
export const wrongPair = problem("invalid-credentials", "The username or the password is wrong")

function triedBy(username: string, address: string) {
  return {
    ofUser: networkBudgets(address, wrongMax.byUserAndAddress, (network) => `password ${network} ${username}`),
    byAddress: networkBudgets(address, wrongMax.byAddress, (network) => `password by ${network}`),
    known: `signed in ${networkOf(address) ?? address} ${username}`,
  }
}
