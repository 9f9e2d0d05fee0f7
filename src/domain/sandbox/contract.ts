import { Type } from "../../kernel/schema/type.ts"
import { endpoint } from "../endpoint.ts"

/** The initial data of a sandbox. */
export const seeds = ["classic", "empty", "shelter"] as const
export type Seed = (typeof seeds)[number]

/** The message to a client or an operator after a reset. */
export const resetMessage = (seed: Seed): string => `The sandbox has been reset: ${seed}`

/** Endpoints that exist only in the sandbox and in no description of the API. */
export const sandbox = {
  resetSandbox: endpoint("POST", "/sandbox/reset", {
    summary: "Reset the sandbox",
    description:
      "Restores the state of the first start: ids from 1, the known keys and users, no limits used, no webhooks. `classic` has the " +
      "ten classic pets, `empty` none, `shelter` 300 animals. Running requests finish first.",
    tag: "store",
    command: "sandbox reset",
    scope: "admin",
    cost: 0,
    query: Type.Object({
      seed: Type.Enum([...seeds], { default: "classic", description: "The initial data" }),
    }),
  }),
}
