import type { Awaitable } from "../../../kernel/flow/awaitable.ts"
import { type Direction, directions } from "../direction.ts"

export type Walk = (labelId: number, place: number, limit: number) => Awaitable<number[]>

const chunkMin = 8

/** Merges the ids of all labels, up to `limit`, each once; reads each label only as far as needed. */
export async function mergeWalks(
  walk: Walk,
  labels: readonly { id: number }[],
  direction: Direction,
  behind: number,
  limit: number,
): Promise<number[]> {
  const chunk = Math.max(chunkMin, Math.ceil(limit / labels.length))
  const end = directions[direction === "ascending" ? "descending" : "ascending"].start
  const nearest = direction === "ascending" ? Math.min : Math.max
  const ways = await Promise.all(labels.map(({ id }) => advance(walk, { id, behind, limit: chunk, ahead: [] }, end)))

  const found: number[] = []
  while (found.length < limit) {
    const next = nearest(end, ...ways.map(({ ahead }) => ahead.at(-1) ?? end))
    if (next === end) break
    found.push(next)
    for (const way of ways) {
      if (way.ahead.at(-1) !== next) continue
      way.ahead.pop()
      if (way.ahead.length === 0) await advance(walk, way, end)
    }
  }
  return found
}

/** The progress along one label; `ahead` holds the ids it has read, the next one last. */
type Way = { id: number; behind: number; limit: number; ahead: number[] }

async function advance(walk: Walk, way: Way, end: number): Promise<Way> {
  way.ahead = (await walk(way.id, way.behind, way.limit)).reverse()
  way.behind = way.ahead[0] ?? end
  return way
}
