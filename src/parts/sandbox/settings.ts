import { resolve } from "node:path"
import { homeRefusal } from "../../core/config/kinds.ts"
import { type Kind, Refusal, type Topic } from "../../core/config/setting.ts"
import { findNearest } from "../../core/kernel/did-you-mean.ts"
import { type DefectId, defectIds } from "./defects/contract.ts"
import { type OwnSeed, ownSeeds } from "./seeds/contract.ts"

/** A seed by its name, or a file, which has a dot or a slash in its path. */
const seed: Kind<{ seed: OwnSeed } | { file: string }> = {
  form: `${ownSeeds.join(" or ")} or a path of a file, such as ./pets.csv`,
  parse(value) {
    const named = ownSeeds.find((each) => each === value)
    if (named) return { seed: named }
    const refusal = homeRefusal(value)
    if (refusal) return refusal
    return /[./\\]/.test(value) ? { file: resolve(value) } : new Refusal()
  },
}

/** Defects by their ids, separated by commas. */
const defectList: Kind<readonly DefectId[]> = {
  form: "ids of defects, separated by commas",
  parse(value) {
    const ids = value.split(",").flatMap((id) => id.trim() || [])
    const part = ids.find((id) => !isDefect(id))
    if (part === undefined) return ids.filter(isDefect)
    const near = findNearest(part, allDefects)
    return new Refusal({ part, ...(near !== undefined && { reason: `did you mean ${near}?` }) })
  },
}

const allDefects: readonly string[] = Object.values(defectIds).flat()
const isDefect = (id: string): id is DefectId => allDefects.includes(id)

export const sandboxSettings = {
  seed: {
    variable: "PETSTORE_SEED",
    kind: seed,
    default: "classic",
    meaning:
      "What the sandbox contains at its first start and after a reset: ten pets, none, 300 animals, or a file of pets or of a sandbox. Not in production",
    notInProduction: "production begins without pets",
  },
  defects: {
    variable: "PETSTORE_DEFECTS",
    kind: defectList,
    default: "",
    otherwise: "none",
    meaning:
      "The defects that the sandbox has, separated by commas, to measure tools that test APIs (docs/defects.md). Not in production",
    notInProduction: "production has none on purpose",
  },
} as const satisfies Topic
