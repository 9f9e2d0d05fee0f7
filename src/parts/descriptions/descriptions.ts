import type { Chosen, Described, Description } from "../../core/assembly/description.ts"
import { basePath } from "../../core/kernel/network/path.ts"
import { problem } from "../../core/kernel/problem.ts"
import { toYaml } from "./yaml.ts"

/** The descriptions of a service, or of a named store at its own address. Nothing of them is loaded before it is requested. */
export function descriptionsOf(described: Described): readonly Description[] {
  return [
    ...(["json", "yaml"] as const).map((format) => wholeDescription(format, described)),
    classicDescription(described),
    asyncapiDescription(described),
    arazzoDescription(described),
    ...collections(described),
  ]
}

export type Format = "json" | "yaml"

export const inFormat = (format: Format, document: object): string =>
  format === "json" ? JSON.stringify(document) : toYaml(document)

const versions = ["3.0", "3.1", "3.2"]

function wholeDescription(format: Format, { api, version: release, publicUrl }: Described): Description {
  return {
    path: `${basePath}/openapi.${format}`,
    mediaType: `application/${format}`,
    title: "OpenAPI 3.1",
    readers: "generators of clients, gateways, linters, fuzzers and consoles",
    choices: { version: versions, webhooks: ["true", "false"] },
    async write({ version = "3.1", webhooks = version === "3.0" ? "false" : "true" }) {
      if (version === "3.0" && webhooks === "true") throw notAllowed("webhooks", "must be false: OpenAPI 3.0 has none")
      const { openapi } = await import("./openapi/document.ts")
      const { inVersion } = await import("./openapi/in-version.ts")
      const document = openapi(api, release, publicUrl(), webhooks === "true" ? undefined : [])
      return inFormat(format, inVersion(version, document, publicUrl()))
    },
  }
}

const classicDescription = ({ api, version: release, publicUrl }: Described): Description => ({
  path: `${basePath}/openapi.classic.json`,
  mediaType: "application/json",
  title: "OpenAPI 3.0 of the classic operations",
  readers: "programs made for the public Petstore, and generators that read OpenAPI 3.0",
  choices: { version: versions },
  async write({ version = "3.0" }) {
    const { openapiOfClassic } = await import("./openapi/classic.ts")
    const { inVersion } = await import("./openapi/in-version.ts")
    return JSON.stringify(inVersion(version, openapiOfClassic(api, release, publicUrl()), publicUrl()))
  },
})

const asyncapiDescription = ({ version, publicUrl }: Described): Description => ({
  path: `${basePath}/asyncapi.json`,
  mediaType: "application/vnd.aai.asyncapi+json;version=3.1.0",
  title: "AsyncAPI 3.1",
  readers: "generators and documentation of webhooks and of the event stream",
  choices: {},
  async write() {
    const { asyncapi } = await import("./asyncapi.ts")
    return JSON.stringify(asyncapi(version, publicUrl()))
  },
})

const arazzoDescription = ({ version, publicUrl, sampleKey }: Described): Description => ({
  path: `${basePath}/arazzo.json`,
  mediaType: "application/vnd.oai.workflows+json;version=1.1.0",
  title: "Arazzo 1.1",
  readers: "runners of journeys through several operations, such as Redocly Respect, and agents",
  choices: {},
  async write() {
    const { arazzo } = await import("./arazzo.ts")
    return JSON.stringify(arazzo(version, publicUrl(), sampleKey))
  },
})

const collections = ({ api, publicUrl, sampleKey }: Described): Description[] => [
  {
    path: `${basePath}/postman.json`,
    mediaType: "application/json",
    title: "Postman collection 2.1",
    readers: "Postman, Newman, Bruno, Insomnia, Hoppscotch",
    choices: {},
    async write() {
      const { postmanCollection } = await import("./postman.ts")
      return JSON.stringify(postmanCollection(api, publicUrl(), sampleKey))
    },
  },
  {
    path: `${basePath}/requests.http`,
    mediaType: "text/plain; charset=utf-8",
    title: "HTTP file",
    readers: "Visual Studio Code (REST Client, httpYac), JetBrains, Visual Studio, Kulala",
    choices: {},
    async write() {
      const { httpFile } = await import("./http-file.ts")
      return httpFile(api, publicUrl(), sampleKey)
    },
  },
]

/** Where a description and its other versions are, below the service's address. */
export function addressesOf({ path, title, choices }: Description): { path: string; title: string }[] {
  const others = (choices.version ?? []).filter((version) => !title.includes(version))
  const inVersion = (version: string) => ({
    path: `${path}?version=${version}`,
    title: title.replace(/\d\.\d/, version),
  })
  return [{ path, title }, ...others.map(inVersion)]
}

/** Reads the choices of a description from a query. Other parameters are ignored, as by every operation that lists none. */
export function readChoices({ choices }: Description, query: string): Chosen {
  const given = new URLSearchParams(query)
  return Object.fromEntries(
    Object.entries(choices).flatMap(([name, values]) => {
      const value = given.get(name)
      if (value === null) return []
      if (!values.includes(value)) throw notAllowed(name, `must be one of ${values.join(", ")}`)
      return [[name, value]]
    }),
  )
}

const notAllowed = (parameter: string, detail: string) =>
  problem("invalid-parameter", [{ parameter, code: "not-allowed", detail }])
