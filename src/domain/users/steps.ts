import { addressesIn, networkOf } from "../../kernel/ip-address.ts"
import { problem, type Violation } from "../../kernel/problem.ts"
import type { Caller } from "../accounts/contract.ts"
import type { Context, Refuse } from "../context.ts"
import type { Repositories } from "../ports.ts"
import type { Scope } from "../scopes.ts"
import type { User, UserDraft, users } from "./contract.ts"
import { mayChange, maySee, newUser } from "./rules.ts"
import type { StoredUser } from "./store.ts"

/** Adds the user and the account that is theirs; refused when the name or the id is taken. */
export async function addUser(
  ctx: { refuse: Refuse<"user-exists"> },
  tx: Repositories,
  draft: UserDraft,
  passwordHash: string,
): Promise<User> {
  if (await tx.users.byName(draft.username)) ctx.refuse("user-exists", nameTaken(draft.username))
  const id = draft.id || (await tx.users.nextId())
  const user = newUser(draft, id)
  const account = await tx.accounts.add({ name: `user ${id}`, plan: "free" })
  if (await tx.users.add({ user, accountId: account.id, passwordHash })) return user
  return ctx.refuse("user-exists", `A user with the id ${id} exists or existed; leave the id out to be given a new one`)
}

const hourMs = 60 * 60 * 1000

/** Counts a registration against the address it comes from; refused when that has registered as many as it may. */
export async function countRegistration({ policy, address, attempts, accept }: Registering): Promise<void> {
  const { registrationsPerHour: max, unlimitedAddresses } = policy
  if (max === undefined || addressesIn(unlimitedAddresses)(address)) return
  const waitMs = await attempts.admit([{ name: `registration ${networkOf(address) ?? address}`, max }], hourMs)
  if (waitMs !== undefined)
    accept(
      problem("too-many-registrations", `Your address may register ${max} people an hour`, {
        retryAfter: Math.ceil(waitMs / 1000),
      }),
    )
}

type Registering = Pick<Context<typeof users.createUser>, "policy" | "address" | "attempts" | "accept">

export const nameTaken = (username: string): string => `The username ${username} is taken`

/** Ends the request with these violations, if there are any. */
export function requireNone(ctx: { refuse: Refuse<"invalid-body"> }, violations: Violation[]): void {
  if (violations.length > 0) ctx.refuse("invalid-body", violations)
}

/** The user, when there is one and the caller may see them: somebody else's record is like none. */
export function requireUser(
  ctx: { caller: Caller; refuse: Refuse<"user-not-found"> },
  found: StoredUser | undefined,
): StoredUser {
  return found && maySee(ctx.caller, found) ? found : ctx.refuse("user-not-found", "User not found")
}

/** The same for a change, which somebody below the user may not make. */
export function requireChangeableUser(
  ctx: { caller: Caller; refuse: Refuse<"user-not-found" | "role-missing"> },
  found: StoredUser | undefined,
): StoredUser {
  const stored = requireUser(ctx, found)
  if (!mayChange(ctx.caller, stored))
    ctx.refuse("role-missing", `${stored.user.username} is ${stored.user.role} and can be changed by an admin only`)
  return stored
}

/** Ends every session of the user and whatever they have let applications do. */
export async function signOutEverywhere(
  ctx: Pick<Context, "credentialsChanged">,
  tx: Repositories,
  { user, accountId }: StoredUser,
): Promise<void> {
  await tx.sessions.endAll(user.id)
  await tx.oauthRecords.removeUser(user.id)
  ctx.credentialsChanged(accountId)
}

/**
 * Ends the keys, applications and webhooks for which these scopes are not enough: those that rest on the person's right,
 * in whatever account, and those of the person's own account.
 */
export async function withdrawCredentialsBeyond(
  ctx: Pick<Context, "clock" | "credentialsChanged">,
  tx: Repositories,
  { user, accountId }: StoredUser,
  scopes: readonly Scope[],
): Promise<void> {
  const exceeds = (credential: { scopes: readonly Scope[] }) =>
    !credential.scopes.every((scope) => scopes.includes(scope))
  const keys = (await tx.keys.ofPerson(user.id, accountId)).filter(exceeds)
  for (const key of keys) await tx.keys.revoke(key.id, key.accountId, ctx.clock.now())
  const clients = (await tx.oauthClients.ofPerson(user.id, accountId)).filter(exceeds)
  for (const client of clients) await tx.oauthClients.remove(client)
  if (!scopes.includes("manage:webhooks")) await tx.webhooks.removeOfPerson(user.id, accountId, ctx.clock.now())

  for (const changed of [{ accountId }, ...keys, ...clients]) ctx.credentialsChanged(changed.accountId)
}
