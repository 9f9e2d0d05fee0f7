import { basePath } from "../../core/kernel/network/path.ts"
import { type JourneyInput, journeys } from "./journeys.ts"

/** The Arazzo 1.1 document of the journeys. With the sample data, all inputs but the address of a receiver have defaults with which each of them succeeds. */
export function arazzo(version: string, publicUrl: string, sampleKey: string | undefined) {
  const input = (name: JourneyInput) => {
    const { description, sample } = inputs[name]
    const value = name === "apiKey" ? sampleKey : sample
    return { type: "string", description, ...(sampleKey !== undefined && value !== undefined && { default: value }) }
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
    workflows: journeys.map(({ inputs: names, ...journey }) => ({
      ...journey,
      inputs: {
        type: "object",
        required: names,
        properties: Object.fromEntries(names.map((name) => [name, input(name)])),
      },
    })),
  }
}

/** The inputs of journeys, with values of the sample data. */
const inputs: Record<JourneyInput, { description: string; sample?: string }> = {
  apiKey: { description: "An API key with the scopes of the operations" },
  username: { description: "The name of a user", sample: "user1" },
  password: { description: "The password of that user", sample: "password1" },
  webhookUrl: {
    description: "An address that responds 2xx to events, such as that of *Receiver* in the console of a sandbox",
  },
  idempotencyKey: { description: "Identifies the creation: another one for each run", sample: "journey-1" },
}
