import type { PetDraft } from "../../domain/pets/contract.ts"
import { isOn, type OwnCommand, one, type Service, UsageError } from "../command/command.ts"
import { readJson } from "../endpoint/body.ts"

const kinds = [
  "pet.created",
  "pet.updated",
  "pet.deleted",

  "order.placed",
  "order.approved",
  "order.delivered",
  "order.cancelled",
]

export const trigger: OwnCommand = {
  name: "trigger",
  summary: "Trigger an event by performing its operations",
  description:
    "Creates a pet named “Triggered” and performs the event's operations with it, like any client. The pet is kept unless the " +
    "event is its deletion. For a service on another machine, --force is required, because the command changes stored data.",
  arguments: [{ name: "event", meaning: "The kind of event", choices: kinds }],
  flags: [
    { name: "force", meaning: "Allow a service on another machine" },
    { name: "body", value: "JSON", meaning: 'Fields of the pet, such as \'{"name":"Rex","tags":[{"name":"shy"}]}\'' },
  ],
  async run(input, { service, terminal }) {
    const { event = "" } = input.arguments
    if (!kinds.includes(event))
      throw new UsageError(`unknown event ${JSON.stringify(event)}; events are ${kinds.join(", ")}`)
    if (!service.isLocal && !isOn(input, "force"))
      throw new UsageError(`${service.url} is another machine; use --force to change its data`)
    const fields = await readJson(one(input, "body") ?? "{}", terminal)
    if (typeof fields !== "object" || Array.isArray(fields)) throw new UsageError("--body must be a JSON object")
    const pet = { name: "Triggered", photoUrls: [], ...fields }
    for await (const step of triggerEvent(event, pet, service.client)) terminal.out(`${step}\n`)
    return 0
  },
}

/** Performs the event's operations and describes each. */
async function* triggerEvent(event: string, pet: PetDraft, client: Service["client"]): AsyncGenerator<string> {
  const petId = (await client.addPet({ body: pet })).value.id
  yield `created pet ${petId}`
  if (event === "pet.updated") {
    await client.patchPet({ params: { petId }, body: { name: `${pet.name} again` } })
    yield `renamed pet ${petId}`
  }
  if (event === "pet.deleted") {
    await client.deletePet({ params: { petId } })
    yield `deleted pet ${petId}`
  }
  if (event.startsWith("pet.")) return

  const orderId = (await client.placeOrder({ body: { petId } })).value.id
  yield `placed order ${orderId} for pet ${petId}`
  if (event === "order.cancelled") {
    await client.deleteOrder({ params: { orderId } })
    yield `cancelled order ${orderId}`
  }
  for (const status of stepsTo[event] ?? []) {
    await client.patchOrder({ params: { orderId }, body: { status } })
    yield `${status} order ${orderId}`
  }
}

const stepsTo: Record<string, readonly ("approved" | "delivered")[]> = {
  "order.approved": ["approved"],
  "order.delivered": ["approved", "delivered"],
}
