/** Groups of endpoints, in the order of the reference; `messages` contains what is sent to webhooks. */
export const tags = {
  pet: "Everything about the pets",
  store: "Orders for pets, and what is in stock",
  user: "People, their login and logout",
  account: "Who is calling: the plan, what is used of it, and the accounts there are",
  keys: "API keys of the account: made, rotated, revoked",
  audit: "Who changed credentials, roles, plans and the like, and whose login was refused",
  oauth: "Applications that act for people or for themselves with access tokens (OAuth 2.0)",
  webhooks: "Where the account wants its events sent, and what became of each delivery",
  events: "The feed: what has happened, in its order",
  messages: "What the service sends to webhooks when something happens",
} as const

export type Tag = keyof typeof tags
