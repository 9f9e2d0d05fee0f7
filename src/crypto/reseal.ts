import { type Sealing, sealedFor } from "../domain/ports/sealing.ts"
import type { Repositories } from "../domain/ports/store.ts"

const batchSize = 500

/** Opens everything that is sealed and seals it anew; returns how many secrets that were. */
export async function reseal(tx: Repositories, before: Pick<Sealing, "open">, after: Sealing): Promise<number> {
  const again = (sealed: string, purpose: string) => after.seal(before.open(sealed, purpose), purpose)
  const keys = await tx.signingKeys.all()
  for (const { kid, sealed } of keys) await tx.signingKeys.reseal(kid, again(sealed, sealedFor.signingKeys))

  let count = keys.length
  let last = 0
  for (;;) {
    const secrets = await tx.webhooks.secretsAfter(last, batchSize)
    for (const { id, sealed } of secrets) await tx.webhooks.reseal(id, again(sealed, sealedFor.webhookSecrets))
    count += secrets.length
    last = secrets.at(-1)?.id ?? last
    if (secrets.length < batchSize) return count
  }
}
