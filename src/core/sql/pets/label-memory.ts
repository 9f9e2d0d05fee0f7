// Decision: docs/decisions/storage-sqlite.md#ids-of-names-are-cached-in-the-process

import type { LabelKind } from "../../domain/pets/store.ts"

/** Of each kind, in each of two generations; about 2 MB together with names of 100 characters. */
const namesMax = 2_500

/** Caches the ids of names, for the only connection that changes them. A rollback removes names since the last commit. */
export class LabelMemory {
  readonly #young: Record<LabelKind, Map<string, number>> = { categories: new Map(), tags: new Map() }
  readonly #old: Record<LabelKind, Map<string, number>> = { categories: new Map(), tags: new Map() }
  #learnt: [LabelKind, string][] = []

  find(kind: LabelKind, name: string): number | undefined {
    return this.#young[kind].get(name) ?? this.#old[kind].get(name)
  }

  /** Removes the older half when there are too many: removing one name at a time makes a map search for the oldest one. */
  remember(kind: LabelKind, name: string, id: number): void {
    if (this.#young[kind].size === namesMax) {
      this.#old[kind] = this.#young[kind]
      this.#young[kind] = new Map()
    }
    this.#young[kind].set(name, id)
    this.#learnt.push([kind, name])
  }

  forget(kind: LabelKind, name: string): void {
    this.#young[kind].delete(name)
    this.#old[kind].delete(name)
  }

  clear(): void {
    for (const ids of [...Object.values(this.#young), ...Object.values(this.#old)]) ids.clear()
  }

  commit(): void {
    this.#learnt = []
  }

  rollback(): void {
    for (const [kind, name] of this.#learnt) this.forget(kind, name)
    this.#learnt = []
  }
}
