import { classic } from "./chapters/classic.ts"
import { limits, lists, webhookChecks } from "./chapters/feeds.ts"
import { ids, input } from "./chapters/input.ts"
import { orderChecks } from "./chapters/orders.ts"
import { protocol, repetition, versions } from "./chapters/protocol.ts"
import { specification } from "./chapters/specification.ts"
import type { ConformChapter } from "./check.ts"

/** What a pet store promises. The chapter of limits is before the specification, whose check uses the limit up. */
export const conformChapters: readonly ConformChapter[] = [
  limits,
  specification,
  classic,
  ids,
  input,
  protocol,
  lists,
  versions,
  repetition,
  orderChecks,
  webhookChecks,
]
