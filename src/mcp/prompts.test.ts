import assert from "node:assert/strict"
import { test } from "node:test"
import { prompts, writePrompt } from "./prompts.ts"

const textOf = (name: string, values: Record<string, string> = {}) => {
  const [message] = writePrompt(name, values)?.messages ?? []
  return message?.content.type === "text" ? message.content.text : ""
}

test("journeys are offered that need neither a password nor faults, without the credential as an argument", () => {
  assert.deepEqual(prompts.map(({ name }) => name).sort(), ["findOrderDeliver", "importPets", "receiveEvent"])
  for (const { arguments: inputs } of prompts)
    for (const { name, required } of inputs ?? []) assert.deepEqual([name === "apiKey", required], [false, true])
  assert.equal(writePrompt("logIn", {}), undefined)
  assert.equal(writePrompt("none", {}), undefined)
})

test("a journey is a task whose numbered steps name their tools and arguments", () => {
  for (const { name, description } of prompts) {
    const text = textOf(name)
    assert.ok(text.startsWith(`${description}. `))
    const steps = [...text.matchAll(/^(\d+)\. \w+: .+\n {3}(\w+) (\{.*\})$/gm)]
    assert.ok(steps.length > 1, text)
    assert.deepEqual(
      steps.map(([, number]) => Number(number)),
      steps.map((_, n) => n + 1),
    )
    for (const [, , , values] of steps) assert.doesNotMatch(values ?? "", /\$steps\./)
  }
  assert.match(textOf("importPets"), /importPets \{"items":\[/)
  assert.match(textOf("findOrderDeliver"), /"\$\w+\.\w+"/)
})

test("arguments are filled in as JSON, and those that are missing stay", () => {
  const [input] = prompts.find(({ name }) => name === "receiveEvent")?.arguments ?? []
  const name = input?.name ?? ""
  assert.ok(textOf("receiveEvent").includes(`$inputs.${name}`))
  const filled = textOf("receiveEvent", { [name]: 'a"b' })
  assert.ok(filled.includes('a\\"b') && !filled.includes(`$inputs.${name}`))
})
