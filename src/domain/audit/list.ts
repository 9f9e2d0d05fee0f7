import type { Operation } from "../context.ts"
import type { audit } from "./contract.ts"
import { chooseEntries } from "./rules.ts"

export const listAudit: Operation<typeof audit.listAudit> = (ctx, { query, page }) =>
  ctx.store.audit.list(ctx.accept(chooseEntries(query)), page)
