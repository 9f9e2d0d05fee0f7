/** Like `Promise.all`, but when one is rejected the others have ended too: nothing goes on behind the caller's back. */
export async function allEnded<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
