import { type Store, StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { pageBytesMax } from "../../../core/kernel/endpoint/page.ts"
import { type ChangeCounts, comparedKinds, type SandboxChange, type SandboxDiff } from "./contract.ts"
import { differences } from "./diff.ts"
import { rowsIn } from "./rows.ts"

type Compared = Pick<SandboxDiff, "counts" | "changes" | "isComplete">

/** Compares two stores that may be in use: counts all changes, and shows up to `limit` of them, in a response of bounded size. */
export async function compareStores(before: Store, after: Store, limit: number): Promise<Compared> {
  const identities = () => Promise.all([before.origin.storeId(), after.origin.storeId()])
  const started = await identities()
  const publicUrl = await after.origin.publicUrl()
  const [olds, news] = [rowsIn(before, publicUrl), rowsIn(after, publicUrl)]
  const none = (): ChangeCounts => ({ added: 0, removed: 0, changed: 0 })
  const counts = { pet: none(), order: none(), user: none(), webhook: none(), key: none() }
  const changes: SandboxChange[] = []
  let bytes = 0
  let isComplete = true
  for (const kind of comparedKinds)
    for await (const change of differences(olds[kind](), news[kind]())) {
      counts[kind][change.change]++
      if (!isComplete) continue
      const shown = { kind, ...change }
      bytes += Buffer.byteLength(JSON.stringify(shown)) + ",".length
      isComplete = changes.length < limit && (bytes <= pageBytesMax || changes.length === 0)
      if (isComplete) changes.push(shown)
    }
  if ((await identities()).some((id, n) => id !== started[n]))
    throw new StoreUnavailable("a sandbox was reset while it was compared")
  return { counts, changes, isComplete }
}
