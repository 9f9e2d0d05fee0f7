import type { Static } from "typebox"
import { endpointsWith } from "../../../core/domain/endpoint.ts"
import { object, time } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"
import { Duration, SandboxClock } from "../clock/contract.ts"
import { diffQuery, SandboxDiff } from "../diff/contract.ts"
import { SandboxData } from "../files/contract.ts"
import { SandboxName, seeds } from "../seeds/contract.ts"

export const Sandbox = object("Sandbox", {
  name: Type.String(),
  url: Type.String({ format: "uri", description: "Its base URL, without `/api/v3`" }),
  clock: SandboxClock,
  requests: Type.Integer({ minimum: 0, description: "Number of requests to it" }),
  lastRequestAt: time("When its last request arrived or ended, in real time; at first when it was made"),
  createdAt: time("When it was made, in real time"),
  bytes: Type.Integer({ minimum: 0, description: "Bytes of its data" }),
  sleeping: Type.Optional(
    Type.Boolean({ description: "Whether it was kept when the service stopped, and its next request opens it" }),
  ),
  copiedFrom: Type.Optional(Type.String({ description: "The sandbox of which it became a copy" })),
  idle: Type.String({ description: "It is deleted after so long without a request, as an ISO 8601 duration" }),
})
/** A named sandbox. */
export type Sandbox = Static<typeof Sandbox>

const NewSandbox = object(
  "NewSandbox",
  {
    name: Type.Optional(SandboxName("Its name, unless the query has it")),
    seed: Type.Optional(Type.Enum([...seeds], { description: "The data; `initial` by default" })),
    from: Type.Optional(SandboxName("The sandbox of which it becomes a copy, instead of a seed")),
    idle: Type.Optional(
      Duration("It is deleted after so long without a request, by default PT1H, at most P1D", "PT4H"),
    ),
    start: Type.Optional(
      time("The time of its clock at the start and after a reset, by default the real time", ["2020-01-01T00:00:00Z"]),
    ),
    freeze: Type.Optional(Type.Boolean({ description: "Whether its clock is frozen at the start" })),
    data: Type.Optional(SandboxData),
  },
  {
    additionalProperties: false,
    examples: [{ name: "test-17", seed: "empty", idle: "PT4H", start: "2020-01-01T00:00:00Z", freeze: true }],
  },
)
export type NewSandbox = Static<typeof NewSandbox>

/** Requests to these endpoints are not counted, so that a plan that is used up does not refuse them. */
const endpoint = endpointsWith({ tag: "sandbox", scope: "admin", cost: 0 })

const params = Type.Object({ name: SandboxName("The name of the sandbox") })

/** The named sandboxes of a service. A named one sees itself only. */
export const namedSandboxes = {
  listSandboxes: endpoint("GET", "/sandboxes", {
    summary: "List the named sandboxes",
    description: "In the order in which they were made. Inside a named sandbox, only that one.",
    command: "sandbox list",
    response: Type.Array(Sandbox),
  }),

  createSandbox: endpoint("POST", "/sandboxes", {
    summary: "Create a named sandbox",
    description:
      "With a seed, as a copy of another one, or from a sandbox file, which is the body then; with a time at which its clock starts, which may be in the past. The sandbox that a " +
      "request names is created without this, too.",
    command: "sandbox create",
    query: Type.Object({ name: Type.Optional(SandboxName("Its name, for the body of a sandbox file")) }),
    body: NewSandbox,
    bodyBytesMax: 256 * 1024,
    takesFile: true,
    response: Sandbox,
    status: 201,
    problems: ["forbidden", "sandbox-exists", "sandbox-not-found"],
  }),

  getSandbox: endpoint("GET", "/sandboxes/{name}", {
    summary: "Show a named sandbox",
    command: "sandbox get",
    params,
    response: Sandbox,
    problems: ["sandbox-not-found"],
  }),

  exportSandbox: endpoint("GET", "/sandboxes/{name}/file", {
    summary: "Export a named sandbox as a file",
    description:
      "Everything that a copy has, with its credentials, and the time. The file is the body with which `POST /sandboxes` makes the " +
      "sandbox again, here or at another service of the same version.",
    command: "sandbox export",
    params,
    response: Type.Object({ data: SandboxData }),
    problems: ["sandbox-not-found", "sandbox-too-large"],
  }),

  diffSandbox: endpoint("GET", "/sandboxes/{name}/diff", {
    summary: "Compare two named sandboxes",
    description:
      "What makes the other one this one: pets, orders, users, webhooks and keys that were added, removed or changed. By default with " +
      "what this one started from: the sandbox of which it is a copy, as that is now, or its seed. Secrets are not shown.",
    command: "sandbox diff",
    params,
    query: diffQuery,
    response: SandboxDiff,
    problems: ["sandbox-not-found", "invalid-parameter"],
  }),

  deleteSandbox: endpoint("DELETE", "/sandboxes/{name}", {
    summary: "Delete a named sandbox",
    description: "Its running requests still receive their responses.",
    command: "sandbox delete",
    params,
    problems: ["sandbox-not-found"],
  }),
}
