import { eventStreamType } from "../../../core/kernel/network/media-types.ts"
import { oauthPath, wellKnownUrl } from "../../../core/kernel/network/path.ts"
import type { Schema } from "./components.ts"
import type { OpenapiDocument } from "./document.ts"

/**
 * A document in OpenAPI 3.2.0, with what that version adds: groups of tags as their parents, the messages of a stream, and the
 * address of the metadata of the authorization server.
 */
export function asVersion32({ openapi: _, ...document }: OpenapiDocument, publicUrl: string) {
  const { tags, "x-tagGroups": groups = [], components, ...rest } = convert(document) as typeof document
  const { securitySchemes } = components
  const oauth2MetadataUrl = wellKnownUrl(publicUrl, "oauth-authorization-server", oauthPath)
  return {
    openapi: "3.2.0",
    ...rest,
    tags: withParents(tags, groups),
    components: {
      ...components,
      securitySchemes: { ...securitySchemes, oauth2: { ...securitySchemes.oauth2, oauth2MetadataUrl } },
    },
  }
}

const withParents = (tags: OpenapiDocument["tags"], groups: NonNullable<OpenapiDocument["x-tagGroups"]>) => [
  ...groups.map(({ name, tags: members }) => ({ name, description: `Groups ${members.join(", ")}`, kind: "nav" })),
  ...tags.map((tag) => ({ ...tag, parent: groups.find((group) => group.tags.includes(tag.name))?.name })),
]

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, convertMember(name, part)]))
}

function convertMember(name: string, value: unknown): unknown {
  if (name === "example" || name === "examples") return value
  if (name === eventStreamType) return streamed(convert(value) as Schema)
  if (name === "xml") return withNode(value as Schema)
  return convert(value)
}

/** The schema is that of each message, and an example would be that of all of them. */
const streamed = ({ schema, example: _, ...media }: Schema) => ({ ...media, itemSchema: schema })

/** `wrapped` is deprecated in 3.2. */
const withNode = ({ wrapped, ...xml }: Schema) => (wrapped === true ? { ...xml, nodeType: "element" } : xml)
