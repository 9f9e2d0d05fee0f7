import type { TSchema } from "typebox"
import { type EventKind, eventKinds, eventMessages, events } from "../../core/domain/events/contract.ts"
import { tags } from "../../core/domain/tags.ts"
import { queryOf } from "../../core/kernel/endpoint/endpoint.ts"
import { mapValues } from "../../core/kernel/json/map-values.ts"
import { jsonType } from "../../core/kernel/network/media-types.ts"
import { basePath } from "../../core/kernel/network/path.ts"
import { type Refer, type Schema, schemaCollector } from "./openapi/components.ts"
import { exampleOf } from "./openapi/example.ts"
import { securitySchemesAt } from "./openapi/security.ts"
import { signatureParameters, webhookDescription } from "./openapi/webhook.ts"

const { streamEvents } = events

/** The AsyncAPI 3.1 document of the events, to webhooks and as a stream, with the schemas of the OpenAPI document. */
export function asyncapi(version: string, publicUrl: string) {
  const { refer, schemas } = schemaCollector()
  const schemes = securitySchemes(publicUrl)
  const inStream = messagesOf(refer, {})
  const toWebhooks = messagesOf(refer, { headers: headersSchema })
  return {
    asyncapi: "3.1.0",
    info: {
      title: "Petstore events",
      version,
      description:
        "Every event is sent to the webhooks that select its kind, at least once, and to the event streams of the account. The " +
        "document `openapi.json` describes the operations, such as creating a webhook.",
      tags: [{ name: "events", description: tags.events }],
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      externalDocs: { url: `${publicUrl}/docs` },
    },
    defaultContentType: jsonType,
    servers: { service: serverAt(publicUrl), receiver },
    channels: {
      webhook: {
        title: "A webhook",
        address: "{path}",
        parameters: { path: { description: "The path of the webhook's URL" } },
        servers: [{ $ref: "#/servers/receiver" }],
        messages: toWebhooks,
      },
      stream: {
        title: "The event stream",
        address: streamEvents.path,
        servers: [{ $ref: "#/servers/service" }],
        messages: inStream,
      },
    },
    operations: {
      sendToWebhook: {
        ...operationOn("webhook", "Send an event to a webhook", webhookDescription),
        // Receivers verify the signature instead.
        security: [],
        bindings: httpBinding({ method: "POST" }),
      },
      streamEvents: {
        ...operationOn("stream", streamEvents.summary, streamEvents.description),
        security: Object.keys(schemes).map((name) => ({
          $ref: `#/components/securitySchemes/${name}`,
        })),
        bindings: httpBinding({ method: "GET", query: refer(queryOf(streamEvents)) }),
      },
    },
    components: { schemas: withoutXml(schemas()), securitySchemes: schemes },
  }
}

/** One message for each kind of event. */
const messagesOf = (refer: Refer, fields: object) =>
  Object.fromEntries(
    (Object.keys(eventKinds) as EventKind[]).map((kind) => {
      const schema = eventMessages[kind] as TSchema
      const examples = [{ payload: exampleOf(schema) }]
      return [kind, { name: kind, title: eventKinds[kind].summary, ...fields, payload: refer(schema), examples }]
    }),
  )

const headersSchema: Schema = {
  type: "object",
  required: signatureParameters.map(({ name }) => name),
  properties: Object.fromEntries(
    signatureParameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
  ),
}

/** Events are JSON only, and the keyword is OpenAPI's. */
const withoutXml = (schemas: object): object =>
  JSON.parse(JSON.stringify(schemas, (key, value) => (key === "xml" ? undefined : value)))

/** The service sends on both channels. */
const operationOn = (channel: string, summary: string, description: string) => ({
  action: "send",
  channel: { $ref: `#/channels/${channel}` },
  summary,
  description,
})

const httpBinding = (fields: object) => ({ http: { ...fields, bindingVersion: "0.3.0" } })

function serverAt(publicUrl: string) {
  const { protocol, host, pathname } = new URL(publicUrl)
  return {
    host,
    pathname: pathname.replace(/\/$/, "") + basePath,
    protocol: protocol.slice(0, -1),
    description: "This service",
  }
}

const receiver = {
  host: "{host}",
  protocol: "https",
  description: "The receiver of a webhook",
  variables: { host: { default: "receiver.example", description: "The host of the webhook's URL" } },
}

function securitySchemes(publicUrl: string) {
  const { api_key, session, oauth2 } = securitySchemesAt(publicUrl)
  const flows = mapValues<object & { scopes: object }, object>(
    oauth2.flows,
    ({ scopes: availableScopes, ...flow }) => ({
      ...flow,
      availableScopes,
    }),
  )
  return {
    api_key: { ...api_key, type: "httpApiKey" },
    session,
    oauth2: { ...oauth2, flows, scopes: [streamEvents.scope] },
  }
}
