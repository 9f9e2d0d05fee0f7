// Decision: docs/decisions/storage-sqlite.md#ids-of-names-are-cached-in-the-process

import type { LabelKind } from "../../../domain/pets/store.ts"

/** Of each kind; about 2 MB with names of 100 characters. */
const namesMax = 5_000

/** Caches the ids of names, for the only connection that changes them. A rollback removes names since the last commit. */
export class LabelMemory {
  readonly #ids: Record<LabelKind, Map<string, number>> = { categories: new Map(), tags: new Map() }
  #learnt: [LabelKind, string][] = []

  find(kind: LabelKind, name: string): number | undefined {
    return this.#ids[kind].get(name)
  }

  /** Removes the oldest name when there are too many. */
  remember(kind: LabelKind, name: string, id: number): void {
    const ids = this.#ids[kind]
    ids.set(name, id)
    this.#learnt.push([kind, name])
    if (ids.size > namesMax) for (const oldest of ids.keys()) return void ids.delete(oldest)
  }

  forget(kind: LabelKind, name: string): void {
    this.#ids[kind].delete(name)
  }

  clear(): void {
    for (const ids of Object.values(this.#ids)) ids.clear()
  }

  commit(): void {
    this.#learnt = []
  }

  rollback(): void {
    for (const [kind, name] of this.#learnt) this.forget(kind, name)
    this.#learnt = []
  }
}
