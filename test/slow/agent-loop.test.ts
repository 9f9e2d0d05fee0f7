// Runs beside two other files at most.
import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { agentPython } from "../harness/foreign-tools.ts"
import { startReceiver } from "../harness/receiver.ts"
import { use, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const model = use(startReceiver)
const python = await agentPython()
const loop = join(import.meta.dirname, "..", "..", "examples", "agents", "openai_loop.py")

type Conversation = { messages: { role: string; content: string }[]; tools: { function: { name: string } }[] }

const rex = { name: "Rex", category: { name: "Dogs" }, photoUrls: [], idempotencyKey: "rex" }

/** What a model says next: a call of a tool, or the end. Of two tasks. */
function next({ messages, tools }: Conversation): [name: string, values: object] | string {
  const [task, ...said] = messages
  const results = said.filter(({ role }) => role === "tool").map(({ content }) => content)
  assert.ok(tools.some((tool) => tool.function.name === "addPet"))
  if (task?.content.startsWith("Add a dog"))
    return results.at(-1)?.includes('"id":11') ? "Rex is there." : ["addPet", rex]
  if (results.length === 0) return ["deletePet", { petId: 4 }]
  if (results.length === 1) return ["getPetById", { petId: 4 }]
  return `I deleted it and read it.\n{"deleted": ${!results[1]?.includes('"id":4')}}`
}

test("the loop in Python runs tools for a model, also after a lost response, and prints what the model says at the end", {
  skip: (serverUrl && "named sandboxes need SQLite") || (python.missing ?? false),
}, async () => {
  model.respond((_request, response) => {
    const said = next(JSON.parse(model.received.at(-1)?.body ?? ""))
    const call = (name: string, values: object) => ({
      id: "1",
      type: "function",
      function: { name, arguments: JSON.stringify(values) },
    })
    const message = typeof said === "string" ? { content: said } : { content: null, tool_calls: [call(...said)] }
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ choices: [{ message: { role: "assistant", ...message } }] }))
  })
  const command = [join(python.path ?? "", "bin", "python"), loop]
  const environment = { ...process.env, MODEL: "m", OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "secret" }
  const only = ["--only", "adds-once,looks-whether-it-is-deleted"]
  const { out, err } = await petstoreCommand(petstore.url, ["exam", "--agent", ...only, "--", ...command], {
    environment,
  })
  assert.match(out, /\n2 of 2 passed\n$/, out + err)
  assert.ok(
    model.received.every(
      ({ path, headers }) => path === "/v1/chat/completions" && headers.authorization === "Bearer secret",
    ),
  )
})
