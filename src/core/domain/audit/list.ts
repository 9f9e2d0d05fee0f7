import type { Verb } from "../context.ts"
import { chooseEntries } from "./rules.ts"

export const listAudit: Verb<"listAudit"> = (ctx, { query, page }) =>
  ctx.store.audit.list(ctx.accept(chooseEntries(query)), page)
