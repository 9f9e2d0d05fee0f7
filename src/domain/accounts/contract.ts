import { type Static, Type } from "typebox"
import { Id, label, named } from "../../kernel/schema.ts"
import { endpoint } from "../endpoint.ts"
import { Standing } from "../limits/contract.ts"
import { allScopes } from "../scopes.ts"

const Plan = named(
  "Plan",
  Type.Enum(["free", "pro", "enterprise"], { description: "Decides how many requests the account may make" }),
)
export type Plan = Static<typeof Plan>

const AccountName = label(100, { examples: ["Paws & Claws Ltd"] })

/** Who pays and owns: every caller acts for an account. */
export const Account = named("Account", Type.Object({ id: Id, name: AccountName, plan: Plan }))
export type Account = Static<typeof Account>

const AccountDraft = named("AccountDraft", Type.Object({ name: AccountName, plan: Plan }))

const AccountPatch = named(
  "AccountPatch",
  Type.Object({ name: Type.Optional(AccountName), plan: Type.Optional(Plan) }, { examples: [{ plan: "pro" }] }),
)

const OwnAccount = named(
  "OwnAccount",
  Type.Object({
    ...Account.properties,
    scopes: Type.Array(Type.Enum(allScopes), { description: "What the credential may do" }),
    limits: Type.Array(Standing, { description: "Where the account stands in each window; empty without limit" }),
  }),
)

const accountId = Type.Object({ id: Id })

export const accounts = {
  getOwnAccount: endpoint({
    method: "GET",
    path: "/account",
    summary: "See who you are, your plan, and what is used of it",
    description: "Counts against no limit.",
    tag: "account",
    command: "account get",
    scope: "any",
    cost: 0,
    answer: OwnAccount,
    status: 200,
    problems: [],
  }),

  createAccount: endpoint({
    method: "POST",
    path: "/accounts",
    summary: "Open an account",
    description: "It has no key yet: make one with `accountId`.",
    tag: "account",
    command: "accounts create",
    scope: "admin",
    body: AccountDraft,
    answer: Account,
    status: 201,
    headers: { Location: { description: "Where the new account is", example: "/api/v3/accounts/7" } },
    problems: [],
  }),

  listAccounts: endpoint({
    method: "GET",
    path: "/accounts",
    summary: "List the accounts",
    description: "Newest first.",
    tag: "account",
    command: "accounts list",
    scope: "admin",
    answer: Type.Array(Account, { maxItems: 1000 }),
    status: 200,
    problems: [],
    paged: true,
  }),

  getAccount: endpoint({
    method: "GET",
    path: "/accounts/{id}",
    summary: "See one account",
    tag: "account",
    command: "accounts get",
    scope: "admin",
    params: accountId,
    answer: Account,
    status: 200,
    problems: ["account-not-found"],
  }),

  patchAccount: endpoint({
    method: "PATCH",
    path: "/accounts/{id}",
    summary: "Rename an account or give it another plan",
    description: "A JSON merge patch (RFC 7396). A new plan counts from the account's next request on.",
    tag: "account",
    command: "accounts patch",
    scope: "admin",
    params: accountId,
    body: AccountPatch,
    consumes: ["application/merge-patch+json", "application/json"],
    answer: Account,
    status: 200,
    problems: ["account-not-found"],
  }),
}
