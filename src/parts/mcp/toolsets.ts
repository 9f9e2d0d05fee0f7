import type { Tag } from "../../core/domain/tags.ts"
import { findNearest } from "../../core/kernel/did-you-mean.ts"

/** Tools for one kind of task. */
export const toolsets = ["pets", "orders", "users", "webhooks", "access", "sandbox"] as const
export type Toolset = (typeof toolsets)[number]

/** The tools that only a service with further operations has. */
export const furtherToolset: Toolset = "sandbox"

/** The toolset of the operations with a tag. */
export const toolsetOf: Readonly<Record<Tag, Toolset>> = {
  pet: "pets",
  store: "orders",
  user: "users",
  webhooks: "webhooks",
  events: "webhooks",
  messages: "webhooks",
  oauth: "access",
  account: "access",
  keys: "access",
  audit: "access",
  sandbox: "sandbox",
}

/** The tools that are offered unless toolsets are named: what most tasks need. More make a model choose worse. */
export const usualTools: ReadonlySet<string> = new Set([
  "listPets",
  "getPetById",
  "addPet",
  "patchPet",
  "deletePet",
  "importPets",
  "getInventory",
  "placeOrder",
  "listOrders",
  "getOrderById",
  "patchOrder",
  "createWebhook",
  "deleteWebhook",
  "listDeliveries",
  "listEvents",
  "getOwnAccount",
  "reset",
  "trigger",
  "advance",
  "requests",
])

/** The toolsets in a list separated by commas, where `all` names all of them; or what is wrong with it. */
export function readToolsets(list: string): ReadonlySet<Toolset> | { refusal: string } {
  const named = list.split(",").map((name) => name.trim())
  if (named.includes("all")) return new Set(toolsets)
  const unknown = named.find((name) => !isToolset(name))
  if (unknown === undefined) return new Set(named.filter(isToolset))
  const near = findNearest(unknown, toolsets)
  const advice = near === undefined ? `toolsets are ${toolsets.join(", ")}, and all` : `did you mean ${near}?`
  return { refusal: `${JSON.stringify(unknown)} is not a toolset; ${advice}` }
}

const isToolset = (name: string): name is Toolset => (toolsets as readonly string[]).includes(name)
