/** Groups of endpoints, in the order of the reference; `messages` contains what is sent to webhooks. */
export const tags = {
  pet: "Everything about the pets",
  store: "Orders for pets, and the inventory",
  user: "Users, login and logout",
  account: "The caller's account and plan, its use of the limits, and all accounts",
  keys: "API keys of the account: create, rotate, revoke",
  oauth: "Applications that act for people or for themselves with access tokens (OAuth 2.0)",
  audit: "Changes of credentials, roles and plans, and refused logins",
  events: "The feed of events, in order",
  webhooks: "URLs that receive the account's events, and their deliveries",
  sandbox: "The data of a sandbox, its clock, faults, defects, requests and copies",
  messages: "Messages that the service sends to webhooks",
} as const

export type Tag = keyof typeof tags

/** Sections of the reference. Redoc leaves out a tag that is in none. */
export const tagGroups: Readonly<Record<string, readonly Tag[]>> = {
  Petstore: ["pet", "store", "user"],
  "Accounts and access": ["account", "keys", "oauth", "audit"],
  Events: ["events", "webhooks", "messages"],
}
