import { createSubject, jsonOf, type SubjectOptions } from "./subject.ts"

/** The number of pets in a store; undefined where it does not say so. */
export async function readPetCount(options: SubjectOptions): Promise<number | undefined> {
  try {
    const counts: unknown[] = Object.values(jsonOf(await createSubject(options).send("GET", "/store/inventory")))
    const pets = counts.reduce<number>((sum, count) => sum + Number(count), 0)
    return Number.isFinite(pets) ? pets : undefined
  } catch {
    return undefined
  }
}
