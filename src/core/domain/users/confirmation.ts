import { Problem, problem } from "../../kernel/problem.ts"
import type { Caller } from "../accounts/model.ts"
import { actorOf } from "../audit/rules.ts"
import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import { signIn } from "./sessions/sign-in.ts"

const windowMs = 15 * 60 * 1000
/** Correct and wrong passwords together: each costs a hash. */
const confirmationsMax = 20

/** The person and the hash of their verified password; undefined when none was required. */
type Proof = { userId: number; passwordHash: string } | undefined

type ConfirmingContext = ContextPart<"caller" | "store" | "passwords" | "attempts" | "clock" | "address" | "requestId">

/**
 * Verifies that the person sends the request, not the holder of a stolen token. An API key with the scope `admin` is the
 * operator's and has no password; otherwise a session is required.
 */
export async function confirmPerson({ caller, ...tools }: ConfirmingContext, password: string | undefined) {
  const { user, credential } = caller
  if (isOperator(caller)) return undefined
  if (!user || credential.kind !== "session") return sessionRequired
  if (password === undefined) return unproven

  const tried = [{ name: `confirmation in ${credential.id}`, max: confirmationsMax }]
  const waitMs = await tools.attempts.admit(tried, windowMs)
  if (waitMs !== undefined)
    return problem("too-many-attempts", "Too many attempts to confirm the password", {
      retryAfter: Math.ceil(waitMs / 1000),
    })
  // A session proves an earlier login, so guesses of others do not delay it.
  const pair = { username: user.username, password }
  const found = await signIn(tools, pair, actorOf(caller, tools), { isKnown: true })
  if (!(found instanceof Problem)) return { userId: found.user.id, passwordHash: found.passwordHash }
  return found.code === "too-many-attempts" ? found : unproven
}

/** Whether this is the person's current password; limited and counted like a login. */
export async function isPasswordOf(
  { caller, ...tools }: ConfirmingContext,
  { username }: { username: string },
  password: string,
) {
  const found = await signIn(tools, { username, password }, actorOf(caller, tools))
  if (!(found instanceof Problem)) return true
  return found.code === "too-many-attempts" ? found : false
}

/** Checks inside the transaction that the password has not been changed since it was verified. */
export async function recheckProof(caller: Caller, proof: Proof, tx: Repositories) {
  if (isOperator(caller)) return true
  const person = proof && (await tx.users.byId(proof.userId))
  return person !== undefined && person.passwordHash === proof?.passwordHash ? true : unproven
}

const isOperator = ({ credential, scopes }: Caller): boolean => credential.kind === "key" && scopes.has("admin")

const sessionRequired = problem(
  "session-required",
  "Only the person may do this, with the token of a login (POST /user/login)",
)
const unproven = problem(
  "current-password-required",
  "Send your current password as currentPassword; it is missing or wrong, and nothing was changed",
)
