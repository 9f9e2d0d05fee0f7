const attemptsMax = 20

/**
 * Adds something under the id that was asked for, or under a generated one: another when somebody who chose that id adds theirs
 * first. Undefined when the id is taken; `add` resolves with undefined then.
 */
export async function addUnderId<T>(
  asked: number | undefined,
  next: () => Promise<number>,
  add: (id: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (asked) return add(asked)
  for (let n = 0; n < attemptsMax; n++) {
    const added = await add(await next())
    if (added !== undefined) return added
  }
  return undefined
}
