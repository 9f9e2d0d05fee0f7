import type { Store } from "../../domain/ports/store.ts"
import { Problem, problem } from "../../kernel/problem.ts"
import type { Principal } from "./principal-cache.ts"

/** The header with which an administrator's request acts for another account. */
export const accountHeader = "petstore-account"

/**
 * The principal, acting for the account with this id: it owns what the request creates and finds, and its plan counts the request.
 * Throws the 403 without the scope `admin`, and the 400 for an unknown account.
 */
export async function actForAccount(
  principal: Principal,
  id: unknown,
  { accounts }: Pick<Store, "accounts">,
): Promise<Principal> {
  if (!principal.caller.scopes.has("admin"))
    throw new Problem("forbidden", "The header Petstore-Account requires the scope admin")
  const account = /^[1-9]\d{0,14}$/.test(String(id)) ? await accounts.read(Number(id)) : undefined
  if (account === undefined) throw unknown()
  return { ...principal, caller: { ...principal.caller, account, ownerId: account.id } }
}

const unknown = () =>
  problem("invalid-parameter", [
    { parameter: "Petstore-Account", code: "unknown", detail: "is not the id of an account" },
  ])
