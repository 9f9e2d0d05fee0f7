import { type Tag, tags } from "../../domain/tags.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { basePath } from "../../kernel/network/path.ts"
import { type SampleRequest, sampleRequests, sampleVariables } from "./sample-requests.ts"

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

/** A Postman collection (format 2.1.0) of the operations. A creation sets the variable that the requests after it use. */
export function postmanCollection(api: Record<string, Endpoint>, publicUrl: string, sampleKey: string | undefined) {
  const variables = { url: `${publicUrl}${basePath}`, key: sampleKey ?? "", ...sampleVariables }
  return {
    info: {
      name: "Petstore",
      description: "Requests in the order of the reference. Set the variable `key` to an API key of your account.",
      schema,
    },
    auth: { type: "apikey", apikey: pairs({ key: "api_key", value: "{{key}}", in: "header" }) },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: sampleRequests(api).map((group) => ({
      name: group.name,
      item: group.tags.map(({ name, requests }) => folderOf(name, requests)),
    })),
  }
}

const pairs = (values: Record<string, string>) =>
  Object.entries(values).map(([key, value]) => ({ key, value, type: "string" }))

const folderOf = (name: Tag, requests: readonly SampleRequest[]) => ({
  name,
  description: tags[name],
  item: requests.map(itemOf),
})

function itemOf({ operationId, endpoint, body, sets, ...address }: SampleRequest) {
  const { method, summary, description, scope } = endpoint
  return {
    name: summary,
    event: [{ listen: "test", script: { type: "text/javascript", exec: scriptOf(endpoint, sets) } }],
    request: {
      method,
      description: [description, `Operation \`${operationId}\`.`].filter(Boolean).join("\n\n"),
      ...(scope === "open" && { auth: { type: "noauth" } }),
      header: body ? [{ key: "Content-Type", value: body.type }] : [],
      url: urlOf(address),
      ...(body && { body: { mode: "raw", raw: body.text, options: { raw: { language: languageOf(body.type) } } } }),
    },
    response: [],
  }
}

/** Parameters that the operation does not require are there and disabled. */
function urlOf({ path, target, query }: Pick<SampleRequest, "path" | "target" | "query">) {
  return {
    raw: `{{url}}${target}`,
    host: ["{{url}}"],
    path: path.slice(1).split("/"),
    ...(query.length > 0 && {
      query: query.map(({ name, value, description, isRequired }) => ({
        key: name,
        value,
        ...(description && { description }),
        ...(!isRequired && { disabled: true }),
      })),
    }),
  }
}

const scriptOf = ({ status }: Endpoint, sets: SampleRequest["sets"]) => [
  `pm.test("responds ${status}", () => pm.response.to.have.status(${status}))`,
  ...(sets ? [`pm.collectionVariables.set("${sets.variable}", pm.response.json().${sets.member})`] : []),
]

const languageOf = (type: string) => (type.endsWith("json") ? "json" : "text")
