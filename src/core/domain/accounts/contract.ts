import type { Static } from "typebox"
import { patchTypes } from "../../kernel/network/media-types.ts"
import { Id, label, named, object } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { endpoint, endpointsWith } from "../endpoint.ts"
import { LimitUsage } from "../limits/contract.ts"
import { allScopes } from "../scopes.ts"

export const Plan = named(
  "Plan",
  Type.Enum(["free", "pro", "enterprise"], { description: "Decides how many requests the account may make" }),
)
export type Plan = Static<typeof Plan>

const AccountName = label(100, { examples: ["Paws & Claws Ltd"] })

/** An account owns data and is billed; every caller acts for one. */
export const Account = object("Account", { id: Id, name: AccountName, plan: Plan })
export type Account = Static<typeof Account>

const AccountDraft = object("AccountDraft", { name: AccountName, plan: Plan })

const AccountPatch = object(
  "AccountPatch",
  { name: Type.Optional(AccountName), plan: Type.Optional(Plan) },
  { examples: [{ plan: "pro" }] },
)

const limits = Type.Array(LimitUsage, { description: "Use of the limits; empty when the plan has none" })

const AccountInUse = object("AccountInUse", { ...Account.properties, limits })

const OwnAccount = object("OwnAccount", {
  ...Account.properties,
  scopes: Type.Array(Type.Enum(allScopes), { description: "Scopes of the credential" }),
  limits,
  store: Type.String({
    description: "Identifies the stored data; a reset of a sandbox changes it",
    examples: ["0b3c1f7e-5d0a-4c57-9d2e-6f1f4a7c8e21"],
  }),
})

const administering = endpointsWith({ tag: "account", scope: "admin" })

export const accounts = {
  getOwnAccount: endpoint("GET", "/account", {
    tag: "account",
    summary: "Read your account: plan, scopes and use of the limits",
    description: "Does not count against any limit.",
    command: "account get",
    scope: "any",
    cost: 0,
    response: OwnAccount,
  }),

  createAccount: administering("POST", "/accounts", {
    summary: "Open an account",
    description: "It has no key yet: create one with `accountId`.",
    command: "accounts create",
    body: AccountDraft,
    response: Account,
    status: 201,
    audited: ["account.created"],
  }),

  listAccounts: administering("GET", "/accounts", {
    summary: "List accounts",
    description: "Newest first.",
    command: "accounts list",
    response: Type.Array(Account, { maxItems: 1000 }),
    paged: true,
  }),

  getAccount: administering("GET", "/accounts/{id}", {
    summary: "Read an account and its use of the limits",
    command: "accounts get",
    response: AccountInUse,
    problems: ["account-not-found"],
  }),

  patchAccount: administering("PATCH", "/accounts/{id}", {
    summary: "Change an account's name or plan",
    description: "A JSON merge patch (RFC 7396). A new plan applies from the account's next request on.",
    command: "accounts patch",
    body: AccountPatch,
    consumes: patchTypes,
    response: AccountInUse,
    problems: ["account-not-found", "well-known-key"],
    audited: ["account.changed"],
  }),
}
