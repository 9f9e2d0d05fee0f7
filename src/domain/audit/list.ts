import type { Operation } from "../context.ts"
import { chooseEntries } from "./rules.ts"

export const listAudit: Operation<"listAudit"> = (ctx, { query, page }) =>
  ctx.store.audit.list(ctx.accept(chooseEntries(query)), page)
