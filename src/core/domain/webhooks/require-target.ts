import { at } from "../../kernel/problem.ts"
import type { ContextPart } from "../context.ts"

/** Refuses a URL that webhooks may not point to. Queries DNS: never call it inside a transaction. */
export async function requireTarget(ctx: ContextPart<"targets", "invalid-body">, url: string): Promise<void> {
  const refusal = await ctx.targets.refusalOf(url)
  if (refusal !== undefined) ctx.refuse("invalid-body", at("/url", "refused-address", refusal))
}
