/** The kinds of records that are stored with a hash, in words. */
export const hashedRecords = {
  pets: { one: "pet", many: "pets" },
  orders: { one: "order", many: "orders" },
  users: { one: "user", many: "users" },
  events: { one: "event", many: "events" },
  audit: { one: "audit entry", many: "entries of the audit log" },
  accounts: { one: "account", many: "accounts" },
  keys: { one: "API key", many: "API keys" },
  clients: { one: "OAuth client", many: "OAuth clients" },
  webhooks: { one: "webhook", many: "webhooks" },
} as const
