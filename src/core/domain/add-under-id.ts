const attemptsMax = 20

/**
 * Adds something under the requested id, or under a generated one: the next when a client has just taken that id.
 * Returns undefined when the id is taken, as `add` does.
 */
export async function addUnderId<T>(
  requestedId: number | undefined,
  next: () => Promise<number>,
  add: (id: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (requestedId) return add(requestedId)
  for (let n = 0; n < attemptsMax; n++) {
    const added = await add(await next())
    if (added !== undefined) return added
  }
  return undefined
}
