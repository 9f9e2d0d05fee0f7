import type { ApiContract } from "../../core/domain/api.ts"
import type { ProblemCode } from "../../core/domain/problems/problems.ts"

/** A step of a journey: a Step Object of Arazzo 1.1 whose operation is one of the contract. */
export type JourneyStep = {
  stepId: string
  description: string
  operationId: keyof ApiContract
  parameters?: readonly { name: string; in: string; value: unknown }[]
  requestBody?: { payload: unknown }
} & Record<string, unknown>

export type JourneyInput = "apiKey" | "username" | "password" | "webhookUrl" | "idempotencyKey"

/** A journey through several operations: a Workflow Object of Arazzo 1.1. */
type Journey = {
  workflowId: string
  summary: string
  description: string
  /** The names of inputs, which `inputs` in arazzo.ts describes. */
  inputs: readonly JourneyInput[]
  steps: readonly JourneyStep[]
}

const isOk = [{ condition: "$statusCode == 200" }]
const isCreated = [{ condition: "$statusCode == 201" }]
const key = { name: "api_key", in: "header", value: "$inputs.apiKey" }
const inPath = (name: string, value: string) => ({ name, in: "path", value })
const inQuery = (name: string, value: string | number) => ({ name, in: "query", value })
const json = (payload: unknown) => ({ requestBody: { contentType: "application/json", payload } })

/** A step that is repeated every second, at most 20 times, until what it reads is there. */
const until = (condition: string) => ({
  successCriteria: [...isOk, { condition }],
  onFailure: [{ name: "notYet", type: "retry", retryAfter: 1, retryLimit: 20 }],
})

/** Repeats a request after `Retry-After`, which takes precedence over the second given here. */
const afterRetryAfter = [429, 503].map((status) => ({
  name: `after${status}`,
  type: "retry",
  retryAfter: 1,
  retryLimit: 20,
  criteria: [{ condition: `$statusCode == ${status}` }],
}))

/** The preference that half of the requests fail with this problem. */
const failing = (code: ProblemCode) => ({
  name: "Prefer",
  in: "header",
  value: `faults=0.5; seed=wait, code=${code}`,
})

export const journeys: readonly Journey[] = [
  {
    workflowId: "signInAndList",
    summary: "Sign in and list",
    description: "Logs a user in with a password and lists the user's orders with the token.",
    inputs: ["username", "password"],
    steps: [
      {
        stepId: "signIn",
        description: "Returns a bearer token",
        operationId: "logIn",
        ...json({ username: "$inputs.username", password: "$inputs.password" }),
        successCriteria: isOk,
        outputs: { token: "$response.body" },
      },
      {
        stepId: "listOrders",
        description: "Lists the user's orders, newest first",
        operationId: "listOrders",
        parameters: [{ name: "Authorization", in: "header", value: "Bearer {$steps.signIn.outputs.token}" }],
        successCriteria: isOk,
      },
    ],
  },
  {
    workflowId: "findOrderDeliver",
    summary: "Find an available pet, order it, and deliver it",
    description: "A pet is available, then pending, then sold. Approving and delivering are for staff.",
    inputs: ["apiKey"],
    steps: [
      {
        stepId: "find",
        description: "Finds an available pet",
        operationId: "listPets",
        parameters: [key, inQuery("status", "available"), inQuery("limit", 1)],
        successCriteria: [...isOk, { condition: "$response.body#/0/status == 'available'" }],
        outputs: { petId: "$response.body#/0/id" },
      },
      {
        stepId: "order",
        description: "Orders it; the pet becomes pending",
        operationId: "placeOrder",
        parameters: [key],
        ...json({ petId: "$steps.find.outputs.petId", quantity: 1 }),
        successCriteria: [...isOk, { condition: "$response.body#/status == 'placed'" }],
        outputs: { orderId: "$response.body#/id" },
      },
      ...(["approved", "delivered"] as const).map((status) => ({
        stepId: status,
        description: `Sets the status of the order to ${status}`,
        operationId: "patchOrder" as const,
        parameters: [key, inPath("orderId", "$steps.order.outputs.orderId")],
        ...json({ status }),
        successCriteria: [...isOk, { condition: `$response.body#/status == '${status}'` }],
      })),
      {
        stepId: "see",
        description: "The pet is sold",
        operationId: "getPetById",
        parameters: [key, inPath("petId", "$steps.find.outputs.petId")],
        successCriteria: [...isOk, { condition: "$response.body#/status == 'sold'" }],
      },
    ],
  },
  {
    workflowId: "receiveEvent",
    summary: "Register a webhook, create a pet, and receive the event",
    description: "The delivery shows that the receiver responded 2xx; the feed has the same event.",
    inputs: ["apiKey", "webhookUrl"],
    steps: [
      {
        stepId: "register",
        description: "Creates a webhook; the response has the secret that signs its messages, once",
        operationId: "createWebhook",
        parameters: [key],
        ...json({ url: "$inputs.webhookUrl", events: ["pet.created"] }),
        successCriteria: isCreated,
        outputs: { webhookId: "$response.body#/id" },
      },
      {
        stepId: "create",
        description: "Creates a pet, which is an event",
        operationId: "addPet",
        parameters: [key],
        ...json({ name: "Rex", photoUrls: [] }),
        successCriteria: isOk,
        outputs: { petId: "$response.body#/id" },
      },
      {
        stepId: "receive",
        description: "Waits until the event has been delivered",
        operationId: "listDeliveries",
        parameters: [key, inPath("webhookId", "$steps.register.outputs.webhookId")],
        ...until("$response.body#/0/state == 'delivered'"),
        outputs: { eventId: "$response.body#/0/eventId" },
      },
      {
        stepId: "read",
        description: "Reads the same event in the feed",
        operationId: "listEvents",
        parameters: [key, inQuery("sort", "-id"), inQuery("limit", 1)],
        successCriteria: [...isOk, { condition: "$response.body#/0/data/id == $steps.create.outputs.petId" }],
      },
      {
        stepId: "remove",
        description: "Deletes the webhook",
        operationId: "deleteWebhook",
        parameters: [key, inPath("webhookId", "$steps.register.outputs.webhookId")],
        successCriteria: isOk,
      },
    ],
  },
  {
    workflowId: "recoverFromErrors",
    summary: "Recover from 429 and 503",
    description:
      "Repeats a read after `Retry-After`, and a creation with the same `Idempotency-Key`. The preferences make a sandbox fail half " +
      "of the requests; in production they are ignored.",
    inputs: ["apiKey", "idempotencyKey"],
    steps: [
      {
        stepId: "read",
        description: "A read may be repeated as it is",
        operationId: "getInventory",
        parameters: [key, failing("quota-exceeded")],
        successCriteria: isOk,
        onFailure: afterRetryAfter,
      },
      {
        stepId: "create",
        description: "A creation is repeated with the same key, so that it is carried out once",
        operationId: "addPet",
        parameters: [
          key,
          failing("unavailable"),
          { name: "Idempotency-Key", in: "header", value: "$inputs.idempotencyKey" },
        ],
        ...json({ name: "Rex", photoUrls: [] }),
        successCriteria: isOk,
        onFailure: afterRetryAfter,
      },
    ],
  },
  {
    workflowId: "importPets",
    summary: "Import pets in one request",
    description: "Each pet is accepted or refused for itself: the second one here has no photo URLs.",
    inputs: ["apiKey"],
    steps: [
      {
        stepId: "import",
        description: "Adds two pets, of which one is refused",
        operationId: "importPets",
        parameters: [key],
        ...json([{ name: "Rex", photoUrls: [] }, { name: "Ada" }]),
        successCriteria: [
          ...isOk,
          { condition: "$response.body#/0/id > 0" },
          { condition: "$response.body#/1/problem/code == 'invalid-body'" },
        ],
        outputs: { petId: "$response.body#/0/id" },
      },
      {
        stepId: "see",
        description: "Reads the pet that was added",
        operationId: "getPetById",
        parameters: [key, inPath("petId", "$steps.import.outputs.petId")],
        successCriteria: [...isOk, { condition: "$response.body#/name == 'Rex'" }],
      },
    ],
  },
]
