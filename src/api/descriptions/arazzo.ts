import { type JourneyInput, journeys } from "../../domain/journeys.ts"
import { basePath } from "../../kernel/network/path.ts"

/** The Arazzo 1.1 document of the journeys. In a sandbox, the inputs have defaults with which each of them succeeds. */
export function arazzo(version: string, publicUrl: string, sampleKey: string | undefined) {
  const described = inputsOf(publicUrl)
  const input = (name: JourneyInput) => {
    const { description, sample } = described[name]
    return { type: "string", description, ...(sampleKey !== undefined && { default: sample ?? sampleKey }) }
  }
  return {
    arazzo: "1.1.0",
    info: {
      title: "Journeys through Petstore",
      version,
      summary: "What clients of the service do in several steps",
      description: "Each journey succeeds against a running service. `openapi.json` describes the operations.",
    },
    sourceDescriptions: [{ name: "petstore", url: `${publicUrl}${basePath}/openapi.json`, type: "openapi" }],
    workflows: journeys.map(({ inputs, ...journey }) => ({
      ...journey,
      inputs: {
        type: "object",
        required: inputs,
        properties: Object.fromEntries(inputs.map((name) => [name, input(name)])),
      },
    })),
  }
}

/** The inputs of journeys, each with a value for a sandbox; an API key by default. */
const inputsOf = (publicUrl: string): Record<JourneyInput, { description: string; sample?: string }> => ({
  apiKey: { description: "An API key with the scopes of the operations" },
  username: { description: "The name of a user", sample: "user1" },
  password: { description: "The password of that user", sample: "password1" },
  webhookUrl: {
    description: "An address that responds 2xx to events; in a sandbox, the console's receiver of account 1",
    sample: `${publicUrl.replace(/\/s\/[^/]+$/, "")}/receiver/1`,
  },
  idempotencyKey: { description: "Identifies the creation: another one for each run", sample: "journey-1" },
})
