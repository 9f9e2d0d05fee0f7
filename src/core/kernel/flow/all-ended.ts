/** Like `Promise.all`, but rejects only once every promise is settled, so that no work continues after the rejection. */
export async function allEnded<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
