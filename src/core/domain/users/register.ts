import { addressesIn, networkBudgets } from "../../kernel/network/ip-address.ts"
import { invalidBody, problem } from "../../kernel/problem.ts"
import type { ContextPart, Verb } from "../context.ts"
import { addUser, nameTaken, type TakenId } from "./add-user.ts"
import { nameViolations, passwordViolations } from "./rules.ts"

const hourMs = 60 * 60 * 1000

export const createUser = registering("refused")

/** The same as v2 does it. */
export const createUserInV2 = registering("replaced")

function registering(takenId: TakenId): Verb<"createUser"> {
  return async (ctx, { body }) => {
    if (!ctx.policy.registrationIsOpen)
      ctx.refuse("registration-closed", "Registration is closed; ask the store's staff to register you")
    const { username, password } = body
    const tooShort = passwordViolations("/password", password, ctx.policy)
    ctx.accept(invalidBody([...nameViolations("/username", username), ...tooShort]))
    // Checked before hashing to save the cost; adding the user checks it again.
    if (await ctx.store.users.byName(username)) ctx.refuse("user-exists", nameTaken(username))
    ctx.accept(await countRegistration(ctx))
    const passwordHash = await ctx.passwords.hash(password)

    return ctx.store.transaction((tx) => addUser(ctx, tx, body, passwordHash, takenId))
  }
}

/** Counts a registration of the address; refuses when it has reached the limit. */
async function countRegistration({ policy, address, attempts }: ContextPart<"policy" | "address" | "attempts">) {
  const { registrationsPerHour: max, unlimitedAddresses } = policy
  if (max === undefined || addressesIn(unlimitedAddresses)(address)) return undefined
  const tried = networkBudgets(address, max, (network) => `registration ${network}`)
  const waitMs = await attempts.admit(tried, hourMs)
  if (waitMs === undefined) return undefined
  return problem("too-many-registrations", `Your address may register ${max} people an hour`, {
    retryAfter: Math.ceil(waitMs / 1000),
  })
}
