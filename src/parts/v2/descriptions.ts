import type { Described, Description } from "../../core/assembly/description.ts"
import { v2Path } from "../../core/kernel/network/path.ts"
import { type Format, inFormat } from "../descriptions/descriptions.ts"

/** The descriptions of v2. Nothing of them is loaded before it is requested. */
export const descriptionsOfV2 = (described: Described): Description[] => [
  swaggerDescription("json", described),
  swaggerDescription("yaml", described),
]

const swaggerDescription = (format: Format, { api, version, publicUrl }: Described): Description => ({
  path: `${v2Path}/swagger.${format}`,
  mediaType: `application/${format}`,
  title: "Swagger 2.0",
  readers: "programs made for v2 of the public Petstore",
  choices: {},
  async write() {
    const { swagger } = await import("./swagger.ts")
    return inFormat(format, swagger(api, version, publicUrl()))
  },
})
