/**
 * The keys of an account. What is in braces decides the slot of a cluster, so that a script finds them together. `runId` tells
 * this process from all others.
 */
export const keysOf = (accountId: number, runId: string) => ({
  moments: `petstore:limits:{${accountId}}:minute`,
  cells: `petstore:limits:{${accountId}}:day`,
  mine: `petstore:limits:{${accountId}}:${runId}`,
  added: `petstore:limits:{${accountId}}:${runId}:added`,
})
