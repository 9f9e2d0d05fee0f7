import type { HashedKind } from "../../domain/ports/hashes.ts"

/** Lists look at all of them again. */
const notedMax = 1000

/** The ids of records that were found damaged, which may have been repaired since. */
export class Damage {
  readonly #ids = new Map<HashedKind, Set<number>>()

  note(kind: HashedKind, id: number): void {
    const known = this.#ids.get(kind) ?? new Set()
    this.#ids.set(kind, known)
    if (known.size < notedMax) known.add(id)
  }

  forget(kind: HashedKind, id: number): void {
    this.#ids.get(kind)?.delete(id)
  }

  idsOf(kind: HashedKind): ReadonlySet<number> {
    return this.#ids.get(kind) ?? none
  }
}

const none: ReadonlySet<number> = new Set()
