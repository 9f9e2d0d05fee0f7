/** Groups items into arrays of this size; the last may be smaller. */
export async function* inGroups<T>(items: AsyncIterable<T> | Iterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = []
  for await (const item of items)
    if (group.push(item) === size) {
      yield group
      group = []
    }
  if (group.length > 0) yield group
}
