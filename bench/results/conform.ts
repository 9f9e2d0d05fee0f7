import { version } from "../../src/program.ts"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { brief } from "./exam.ts"
import { describeOccasion, type Examined, type Outcome, writePart } from "./published.ts"
import { runCommand } from "./run-command.ts"
import { type Service, startServices } from "./services.ts"

/** Examines this service, and others, with the kit for pet stores. `more` are services that run already. */
export async function measureConform(url: string, more: readonly Service[]): Promise<void> {
  using folder = temporaryDirectory()
  process.stderr.write("conform: building the others\n")
  const description = await (await fetch(`${url}/api/v3/openapi.classic.json`)).text()
  await using started = await startServices(folder.path, description)
  const services: Examined[] = []
  const own = { name: "Petstore", version, url: `${url}/api/v3` }
  for (const service of [own, ...more, ...started.services]) {
    process.stderr.write(`conform: ${service.name} ${service.version}\n`)
    const claims = service === own ? ["--claims", "all"] : []
    const verdicts = await runCommand<Outcome[]>(url, ["conform", service.url, ...claims])
    services.push({ name: service.name, version: service.version, verdicts: verdicts.map(brief) })
  }
  writePart("conform", { ...describeOccasion(), services, skipped: started.skipped })
}
