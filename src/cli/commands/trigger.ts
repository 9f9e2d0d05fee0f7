import { isOn, type OwnCommand, type Service, UsageError } from "../command.ts"

const kinds = [
  ...["pet.created", "pet.updated", "pet.deleted"],
  ...["order.placed", "order.approved", "order.delivered", "order.cancelled"],
]

export const trigger: OwnCommand = {
  name: "trigger",
  summary: "Make an event happen, by doing what it tells of",
  description:
    "Creates a pet named “Triggered” and does with it what the event tells of, through the same operations as any client. The " +
    "pet stays unless the event is its deletion. On another machine than this one it needs --force, because it changes what " +
    "is stored there.",
  arguments: [{ name: "event", meaning: "The kind of event", choices: kinds }],
  flags: [{ name: "force", meaning: "Also in a service on another machine" }],

  async run(given, { service, terminal }) {
    const { event = "" } = given.arguments
    if (!kinds.includes(event))
      throw new UsageError(`there is no event ${JSON.stringify(event)} to trigger: ${kinds.join(", ")}`)
    if (!service.isLocal && !isOn(given, "force"))
      throw new UsageError(`${service.url} is another machine; --force changes what is stored there`)
    for await (const step of bringAbout(event, service.client)) terminal.out(`${step}\n`)
    return 0
  },
}

/** Does what the event tells of, step by step; yields each step in words. */
async function* bringAbout(event: string, client: Service["client"]): AsyncGenerator<string> {
  const petId = (await client.addPet({ body: { name: "Triggered", photoUrls: [] } })).value.id
  yield `created pet ${petId}`
  if (event === "pet.updated") {
    await client.patchPet({ params: { petId }, body: { name: "Triggered again" } })
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
