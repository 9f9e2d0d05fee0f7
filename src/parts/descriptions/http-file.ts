import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import { basePath } from "../../core/kernel/network/path.ts"
import { type SampleRequest, sampleRequests, sampleVariables } from "./sample-requests.ts"

/** The requests as a file of editors, in the syntax that all of them read: variables, and no scripts. */
export function httpFile(api: Record<string, Endpoint>, publicUrl: string, sampleKey: string | undefined): string {
  const requests = sampleRequests(api).flatMap(({ tags }) =>
    tags.flatMap((tag) => tag.requests.filter(({ needs }) => needs === undefined).map(requestOf)),
  )
  const used = Object.entries(sampleVariables).filter(([name]) => requests.some((text) => text.includes(`{{${name}}}`)))
  const variables = { url: `${publicUrl}${basePath}`, key: sampleKey ?? "", ...Object.fromEntries(used) }
  return `# Requests to Petstore, in the order of its reference. They succeed in a new sandbox when they are sent in this order.
# Set key to an API key of your account, and the ids to those of your resources.
${Object.entries(variables)
  .map(([name, value]) => `@${name} = ${value}\n`)
  .join("")}
${requests.join("\n")}`
}

function requestOf({ operationId, endpoint, target, body }: SampleRequest): string {
  return `### ${endpoint.summary}
# @name ${operationId}
${endpoint.method} {{url}}${target}
${endpoint.scope === "open" ? "" : "api_key: {{key}}\n"}${body ? `Content-Type: ${body.type}\n\n${body.text}\n` : ""}`
}
