import { readFileSync } from "node:fs"
import { join } from "node:path"
import { API, type Program } from "typescript/unstable/sync"
import { applyMutants, type Mutant, mutantsOf } from "./mutate.ts"

/** A program of TypeScript that stays in memory: a mutant takes 30 ms. The files on the disk do not change. */
type TypeChecker = Disposable & {
  mutantsOf(file: string): Mutant[]
  /** Whether the changed file compiles. */
  compiles(mutant: Mutant): boolean
  /** The mutants with which all other files compile too, which takes some seconds. */
  compiling(mutants: readonly Mutant[]): Mutant[]
}

export function openTypeChecker(root: string): TypeChecker {
  let changed = new Map<string, string>()
  const api = new API({ cwd: root, fs: { readFile: (path) => changed.get(path) } })
  const config = join(root, "tsconfig.json")
  let snapshot = api.updateSnapshot({ openProjects: [config] })
  const program = (): Program => {
    const project = snapshot.getProject(config)
    if (!project) throw new Error(`${config} was not read`)
    return project.program
  }
  const pathOf = (file: string) => join(root, file)
  const change = (mutants: readonly Mutant[]) => {
    const before = changed.keys()
    changed = new Map(
      [...Map.groupBy(mutants, ({ file }) => pathOf(file))].map(([path, its]) => [
        path,
        applyMutants(readFileSync(path, "utf8"), its),
      ]),
    )
    const previous = snapshot
    snapshot = api.updateSnapshot({ fileChanges: { changed: [...new Set([...before, ...changed.keys()])] } })
    previous.dispose()
  }
  const isRight = (path?: string) => program().getSemanticDiagnostics(path).length === 0
  const allCompile = (mutants: readonly Mutant[]) => {
    change(mutants)
    return isRight()
  }

  return {
    mutantsOf(file) {
      const source = program().getSourceFile(pathOf(file))
      return source ? mutantsOf(source, file) : []
    },
    compiles(mutant) {
      change([mutant])
      const path = pathOf(mutant.file)
      return program().getSyntacticDiagnostics(path).length === 0 && isRight(path)
    },
    compiling: (mutants) => (allCompile(mutants) ? [...mutants] : mutants.filter((mutant) => allCompile([mutant]))),
    [Symbol.dispose]: () => api.close(),
  }
}
