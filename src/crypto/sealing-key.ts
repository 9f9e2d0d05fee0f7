import { join } from "node:path"
import { type Sealing, type Store, sealedFor } from "../domain/ports.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { keyFileName, makeKeyFile, readKeyFile } from "../storage/disk/key-file.ts"
import { aesSealing } from "./aes-gcm.ts"

/**
 * The sealing of secrets at rest. Its key is the one given, or that in `secret.key` in the data directory, made at the
 * first start. Throws CannotStart, with what would help, when the database holds secrets sealed under another key.
 */
export async function openSealing(
  store: Store,
  { secretKey, dataDir }: { secretKey: Uint8Array | undefined; dataDir: string },
): Promise<Sealing> {
  const file = join(dataDir, keyFileName)
  const samples = await samplesOf(store)
  const key = secretKey ?? readKeyFile(file)
  if (key === undefined && samples.length > 0)
    throw new CannotStart(
      `The database holds sealed secrets and the key to them is gone: put back ${file}, or set PETSTORE_SECRET_KEY to it.`,
    )

  const sealing = aesSealing(key ?? makeKeyFile(file))
  try {
    for (const { sealed, purpose } of samples) sealing.open(sealed, purpose)
  } catch (error) {
    const place = secretKey ? "PETSTORE_SECRET_KEY" : file
    throw new CannotStart(
      `The key in ${place} does not open the database's secrets: use the one this database was started with.`,
      { cause: error },
    )
  }
  return sealing
}

/** One of every kind of secret the database holds. */
async function samplesOf(store: Store): Promise<{ sealed: string; purpose: string }[]> {
  const [signingKey] = await store.signingKeys.all()
  const webhookSecret = await store.webhooks.anySecret()
  return [
    ...(signingKey ? [{ sealed: signingKey.sealed, purpose: sealedFor.signingKeys }] : []),
    ...(webhookSecret ? [{ sealed: webhookSecret, purpose: sealedFor.webhookSecrets }] : []),
  ]
}
