import { type Tag, tags } from "../../core/domain/tags.ts"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import { basePath } from "../../core/kernel/network/path.ts"
import { type SampleRequest, sampleRequests, sampleVariables } from "./sample-requests.ts"

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

/** A Postman collection (format 2.1.0) of the operations. A creation sets the variable that the requests after it use. */
export function postmanCollection(api: Record<string, Endpoint>, publicUrl: string, sampleKey: string | undefined) {
  const variables = { url: `${publicUrl}${basePath}`, key: sampleKey ?? "", session: "", ...sampleVariables }
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

function itemOf(request: SampleRequest) {
  const { operationId, endpoint, body, needs, ...address } = request
  const { method, summary, description } = endpoint
  return {
    name: summary,
    event: [...(needs === "stream" ? [scriptFor("prerequest", skipInRuns)] : []), scriptFor("test", checkOf(request))],
    request: {
      method,
      description: [description, `Operation \`${operationId}\`.`, needs && needed[needs]].filter(Boolean).join("\n\n"),
      ...authOf(request),
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

const needed = {
  file: "Sends a file of one pixel, or what was uploaded before.",
  session: "Needs the session of a person, which *Log in* sets.",
  stream: "The response does not end: a run skips this request until the variable `stream` is set.",
}

const authOf = ({ endpoint: { scope }, needs }: SampleRequest) =>
  scope === "open"
    ? { auth: { type: "noauth" } }
    : needs === "session" && { auth: { type: "bearer", bearer: pairs({ token: "{{session}}" }) } }

const scriptFor = (listen: "prerequest" | "test", exec: readonly string[]) => ({
  listen,
  script: { type: "text/javascript", exec },
})

const skipInRuns = ['if (!pm.variables.get("stream")) pm.execution.skipRequest()']

/** The consents of a person come from a browser: there may be none. */
function checkOf({ operationId, endpoint: { status }, sets }: SampleRequest): string[] {
  const expected = operationId === "endConsent" ? [status, 404] : [status]
  const value = sets && `pm.response.json()${sets.member === undefined ? "" : `.${sets.member}`}`
  return [
    `pm.test("responds ${expected.join(" or ")}", () => pm.expect(pm.response.code).to.be.oneOf([${expected.join(", ")}]))`,
    ...(sets ? [`pm.collectionVariables.set("${sets.variable}", ${value})`] : []),
  ]
}

const languageOf = (type: string) => (type.endsWith("json") ? "json" : "text")
