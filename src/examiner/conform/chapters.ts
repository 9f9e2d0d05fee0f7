import { access } from "./chapters/access.ts"
import { patches, repetition, versions } from "./chapters/changes.ts"
import { classic } from "./chapters/classic.ts"
import { ids } from "./chapters/ids.ts"
import { input } from "./chapters/input.ts"
import { limits } from "./chapters/limits.ts"
import { listChecks } from "./chapters/lists.ts"
import { orderChecks } from "./chapters/orders.ts"
import { protocol } from "./chapters/protocol.ts"
import { specification } from "./chapters/specification.ts"
import { webhookChecks } from "./chapters/webhooks.ts"
import type { ConformChapter } from "./check.ts"

/** What a pet store promises. The chapter of limits is the last one, because it uses a limit up. */
export const conformChapters: readonly ConformChapter[] = [
  specification,
  classic,
  ids,
  input,
  protocol,
  access,
  listChecks,
  versions,
  patches,
  repetition,
  orderChecks,
  webhookChecks,
  limits,
]
