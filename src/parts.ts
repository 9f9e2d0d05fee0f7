import type { Part } from "./core/assembly/part.ts"
import type { Config } from "./core/config/config.ts"
import { consolePart } from "./parts/console/part.ts"
import { descriptionsPart } from "./parts/descriptions/part.ts"
import { mcpPart } from "./parts/mcp/part.ts"
import { oauthPart } from "./parts/oauth/part.ts"
import { operatorPart } from "./parts/operator/part.ts"
import { replicasPart } from "./parts/replicas/part.ts"
import { noSandbox } from "./parts/sandbox/no-sandbox.ts"
import { type SandboxOverrides, sandboxPart } from "./parts/sandbox/part.ts"
import { sitePart } from "./parts/site/part.ts"
import { storePart } from "./parts/store/part.ts"
import { v2Part } from "./parts/v2/part.ts"

/** What this build has besides the core. Production leaves the sandbox out. */
export const partsOf = (profile: Config["profile"], overrides?: SandboxOverrides): readonly Part[] => [
  replicasPart,
  sitePart,
  oauthPart,
  storePart,
  consolePart,
  descriptionsPart,
  v2Part,
  mcpPart,
  operatorPart,
  ...(profile === "sandbox" ? [sandboxPart(overrides)] : [noSandbox]),
]
