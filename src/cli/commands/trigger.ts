import { triggerable, triggerEvent } from "../../client/trigger-event.ts"
import { isOn, type OwnCommand, one, UsageError } from "../command/command.ts"
import { readJson } from "../endpoint/body.ts"

export const trigger: OwnCommand = {
  name: "trigger",
  summary: "Trigger an event by performing its operations",
  description:
    "Creates a pet named “Triggered” and performs the event's operations with it, like any client. The pet is kept unless the " +
    "event is its deletion. For a service on another machine, --force is required, because the command changes stored data.",
  arguments: [{ name: "event", meaning: "The kind of event", choices: triggerable }],
  flags: [
    { name: "force", meaning: "Allow a service on another machine" },
    { name: "body", value: "JSON", meaning: 'Fields of the pet, such as \'{"name":"Rex","tags":[{"name":"shy"}]}\'' },
  ],
  async run(input, { service, terminal }) {
    const { event = "" } = input.arguments
    if (!triggerable.includes(event))
      throw new UsageError(`unknown event ${JSON.stringify(event)}; events are ${triggerable.join(", ")}`)
    if (!service.isLocal && !isOn(input, "force"))
      throw new UsageError(`${service.url} is another machine; use --force to change its data`)
    const fields = await readJson(one(input, "body") ?? "{}", terminal)
    if (typeof fields !== "object" || Array.isArray(fields)) throw new UsageError("--body must be a JSON object")
    for await (const step of triggerEvent(event, fields ?? {}, service.client)) terminal.out(`${step}\n`)
    return 0
  },
}
