import type { Step } from "../../../core/api/operations/steps.ts"
import type { VerbOf } from "../../../core/domain/context.ts"
import type { sandbox } from "../contract.ts"
import { requireUnchanged, tagged } from "../faults/tagged.ts"
import { type Handling, handledBy, type Memory } from "../handling.ts"
import type { DefectSwitch } from "../model.ts"
import { type DefectId, defectIds } from "./contract.ts"
import type { Defect } from "./defect.ts"

const load = async (): Promise<Readonly<Record<DefectId, Defect>>> => {
  const { catalogue } = await import("./catalogue/catalogue.ts")
  return catalogue
}

type DefectsOf = {
  /** Changes how requests are handled, before anything else and after everything else. */
  steps: { around: Step; inside: Step }
  verbs: { getDefects: VerbOf<typeof sandbox.getDefects>; setDefects: VerbOf<typeof sandbox.setDefects> }
}

/** The defects of a sandbox. `isAffected` says which operations may have one. The catalogue is loaded with the first one that is on. */
export function defectsOf(chosen: DefectSwitch, isAffected: (operation: string) => boolean): DefectsOf {
  let memory: Memory = new Map()
  let rememberedFor = chosen.ids
  const inForce = () => ({ defects: [...chosen.ids] })

  const step =
    (where: "around" | "inside"): Step =>
    (next, { name }) =>
      isAffected(name)
        ? handledBy(
            () => (chosen.ids.size === 0 ? undefined : handlingsOf(where, name)),
            () => memory,
          )(next)
        : next

  async function handlingsOf(where: "around" | "inside", name: string): Promise<readonly Handling[]> {
    const catalogue = await load()
    if (rememberedFor !== chosen.ids) [memory, rememberedFor] = [new Map(), chosen.ids]
    return [...chosen.ids].flatMap((id) => changeOf(catalogue[id][where], name) ?? [])
  }

  return {
    steps: { around: step("around"), inside: step("inside") },
    verbs: {
      getDefects: async () => {
        const catalogue = await load()
        return tagged({ ...inForce(), known: listed(catalogue) }, inForce())
      },
      setDefects: (ctx, { body }) => {
        requireUnchanged(ctx, inForce())
        chosen.replace(body.defects)
        return tagged(inForce())
      },
    },
  }
}

const changeOf = (changes: Defect["around"], operation: string): Handling | undefined =>
  changes?.[operation] ?? changes?.any

/** The catalogue as data. */
export const listed = (catalogue: Readonly<Record<DefectId, Defect>>) =>
  Object.entries(defectIds).flatMap(([category, ids]) =>
    ids.map((id) => {
      const { code, wrong, breaks, see, seenWith, around, inside } = catalogue[id]
      const operations = Object.keys({ ...around, ...inside }).filter((name) => name !== "any")
      const known = { id, category, ...(code !== undefined && { code }), wrong, breaks, see, operations }
      return { ...known, ...(seenWith && { seenWith: [...seenWith] }) }
    }),
  )

/** The defects that a store has: those that are set, until a reset returns to the initial ones. */
export function createDefectSwitch(initial: readonly DefectId[]): DefectSwitch {
  let ids: ReadonlySet<DefectId> = new Set(initial)
  return {
    get ids() {
      return ids
    },
    replace(chosen = initial) {
      ids = new Set(chosen)
    },
  }
}
