import { endpointsWith } from "../../core/domain/endpoint.ts"
import { object } from "../../core/kernel/schema/schema.ts"
import { Type } from "../../core/kernel/schema/type.ts"
import { clock } from "./clock/contract.ts"
import { defects } from "./defects/contract.ts"
import { examEndpoints } from "./examination/contract.ts"
import { faults } from "./faults/contract.ts"
import { holds } from "./holds/contract.ts"
import { requests } from "./journal/contract.ts"
import { namedSandboxes, Sandbox } from "./named/contract.ts"
import { SandboxName, seeds } from "./seeds/contract.ts"

/** The message to a client or an operator after a reset. */
export const resetMessage = (origin: string): string => `The sandbox has been reset: ${origin}`

/** Requests to these endpoints are not counted, so that a plan that is used up does not refuse them. */
const endpoint = endpointsWith({ tag: "sandbox", scope: "admin", cost: 0 })

/** Endpoints that exist only in the sandbox, and in no description that a service has. */
export const sandbox = {
  resetSandbox: endpoint("POST", "/sandbox/reset", {
    summary: "Reset the sandbox",
    description:
      "Restores the state of the first start: ids from 1, the known keys and users, no limits used, no webhooks. `classic` has the " +
      "ten classic pets, `empty` none, `shelter` 300 animals, and `initial` what PETSTORE_SEED names: `classic`, unless it is set. " +
      "Running requests finish first. With `from`, a named sandbox becomes a copy of another one.",
    command: "sandbox reset",
    tool: { name: "reset", replaces: true, repeatable: true },
    query: Type.Object({
      seed: Type.Enum([...seeds], { default: "initial", description: "The data" }),
      from: Type.Optional(SandboxName("The sandbox of which this one becomes a copy, instead of a seed")),
    }),
    problems: ["named-sandbox-required", "sandbox-not-found"],
  }),

  forkSandbox: endpoint("POST", "/sandbox/forks", {
    summary: "Copy a named sandbox",
    description:
      "Makes a new sandbox with everything that this one has now: pets, users, keys, images, used limits, and the time. Webhooks of " +
      "the copy are paused.",
    command: "sandbox fork",
    body: object(
      "SandboxFork",
      { name: SandboxName("The name of the copy") },
      { examples: [{ name: "test-17-later" }] },
    ),
    response: Sandbox,
    status: 201,
    problems: ["named-sandbox-required", "sandbox-exists"],
  }),

  ...clock,
  ...namedSandboxes,
  ...requests,
  ...faults,
  ...holds,
  ...defects,
  ...examEndpoints,
}
