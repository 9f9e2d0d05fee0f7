import { hash } from "node:crypto"
import type { ContextPart } from "../../../core/domain/context.ts"
import { JsonResponse } from "../../../core/kernel/endpoint/json-response.ts"
import { json } from "../../../core/kernel/json/json.ts"
import { failedPrecondition } from "../../../core/kernel/network/preconditions.ts"

const tagOf = (state: object): string => `"${hash("sha256", json(state), "base64url").slice(0, 22)}"`

/** A response with the hash of the state that clients change as its entity tag, by default of all that it has. */
export const tagged = <T extends object>(value: T, state: object = value): JsonResponse<T> =>
  new JsonResponse(json(value), { etag: tagOf(state) })

/** Throws the 412 for a change whose conditions this state does not meet. */
export function requireUnchanged(ctx: ContextPart<"preconditions", "precondition-failed">, state: object): void {
  const failed = failedPrecondition(ctx.preconditions, tagOf(state))
  if (failed !== undefined) ctx.refuse("precondition-failed", failed)
}

/** When others change it as often, something is wrong. */
const attemptsMax = 10

/** Reads and changes again what others have changed between both. */
export async function changeUnchanged<T>(readAndChange: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAndChange()
    } catch (error) {
      if ((error as { code?: string }).code !== "precondition-failed" || attempt === attemptsMax) throw error
    }
  }
}
