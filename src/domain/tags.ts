/** Groups of endpoints, in the order of the reference; `messages` contains what is sent to webhooks. */
export const tags = {
  pet: "Everything about the pets",
  store: "Orders for pets, and the inventory",
  user: "Users, login and logout",
  account: "The caller's account and plan, its use of the limits, and all accounts",
  keys: "API keys of the account: create, rotate, revoke",
  audit: "Changes of credentials, roles and plans, and refused logins",
  oauth: "Applications that act for people or for themselves with access tokens (OAuth 2.0)",
  webhooks: "URLs that receive the account's events, and their deliveries",
  events: "The feed of events, in order",
  messages: "Messages that the service sends to webhooks",
} as const

export type Tag = keyof typeof tags
