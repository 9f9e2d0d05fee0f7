import type { VerbOf } from "../../../core/domain/context.ts"
import { JsonResponse } from "../../../core/kernel/endpoint/json-response.ts"
import { json } from "../../../core/kernel/json/json.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import { resetMessage, type sandbox } from "../contract.ts"
import type { Forks } from "../model.ts"
import type { Seed } from "../seeds/contract.ts"
import { ofNamed } from "./bounds.ts"
import { sandboxPathOf } from "./sandbox-verbs.ts"

/** `resetAlone` runs once no operation is running. */
export function dataVerbs(resetAlone: (seed: Seed) => Promise<void>, forks: Forks | undefined) {
  const resetSandbox: VerbOf<typeof sandbox.resetSandbox> = async (ctx, { query: { seed, from } }) => {
    if (from === undefined) await resetAlone(seed)
    else if (!forks) ctx.refuse("named-sandbox-required", ofNamed)
    else if (!(await forks.replaceBy(from))) ctx.refuse("sandbox-not-found", `There is no sandbox ${from}`)
    return { code: 200, type: "success", message: resetMessage(from ?? seed) }
  }

  const forkSandbox: VerbOf<typeof sandbox.forkSandbox> = async (ctx, { body: { name } }) => {
    if (!forks) return ctx.refuse("named-sandbox-required", ofNamed)
    const copy =
      (await forks.make(name, ctx.address)) ?? ctx.refuse("sandbox-exists", `There is already a sandbox ${name}`)
    // Inside the copy, where the credentials of its source are valid too.
    return new JsonResponse(json(copy), { headers: { location: copy.url + basePath + sandboxPathOf(name) } })
  }

  return { resetSandbox, forkSandbox }
}
