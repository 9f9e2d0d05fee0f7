import { basePath, v2Path } from "../../kernel/network/path.ts"
import { compressed } from "../compressed.ts"
import type { Site, SitePage } from "../site.ts"
import { toYaml } from "./yaml.ts"

/** The OpenAPI documents, generated at the first request: they contain the public URL. */
export const descriptionPages = ({ whole, classic, v2 }: Site["describe"]): SitePage[] => [
  inJson(`${basePath}/openapi`, whole),
  inYaml(`${basePath}/openapi`, whole),
  inJson(`${basePath}/openapi.classic`, classic),
  ...(v2 ? [inJson(`${v2Path}/swagger`, v2), inYaml(`${v2Path}/swagger`, v2)] : []),
]

const inJson = (path: string, describe: () => object) => page(path, "json", () => JSON.stringify(describe()))
const inYaml = (path: string, describe: () => object) => page(path, "yaml", () => toYaml(describe()))

function page(path: string, format: "json" | "yaml", write: () => string): SitePage {
  const respond = compressed(`application/${format}`, "public, max-age=300", write)
  return { path: `${path}.${format}`, respond: ({ acceptsGzip }) => respond(acceptsGzip) }
}
