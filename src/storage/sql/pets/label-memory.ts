import type { LabelKind } from "../../../domain/pets/store.ts"

/** Of each kind; with names of up to 100 characters, some 2 MB. */
const namesMax = 5_000

/**
 * Remembers the ids of names, for a connection through which alone they change. What was learnt since the last commit is
 * forgotten with a rollback, because it may be what is rolled back.
 */
export class LabelMemory {
  readonly #ids: Record<LabelKind, Map<string, number>> = { categories: new Map(), tags: new Map() }
  #learnt: [LabelKind, string][] = []

  /** The id of the name; undefined when it is not remembered. */
  find(kind: LabelKind, name: string): number | undefined {
    return this.#ids[kind].get(name)
  }

  /** Remembers a name, and forgets the one remembered longest when there are too many. */
  remember(kind: LabelKind, name: string, id: number): void {
    const ids = this.#ids[kind]
    ids.set(name, id)
    this.#learnt.push([kind, name])
    if (ids.size > namesMax) for (const oldest of ids.keys()) return void ids.delete(oldest)
  }

  /** Forgets a name that is there no more. */
  forget(kind: LabelKind, name: string): void {
    this.#ids[kind].delete(name)
  }

  /** Forgets every name. */
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
