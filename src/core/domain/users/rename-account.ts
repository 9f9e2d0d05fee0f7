import type { Repositories } from "../ports/store.ts"

/** Renames the account that was opened with a user and has their name, unless an administrator has given it another one. */
export async function renameAccount(
  tx: Repositories,
  { accountId, from, to }: { accountId: number; from: string; to: string },
): Promise<void> {
  const account = await tx.accounts.read(accountId)
  if (account?.name === from) await tx.accounts.change(accountId, { name: to })
}
