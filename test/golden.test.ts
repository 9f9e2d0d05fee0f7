import { join } from "node:path"
import { test } from "node:test"
import { tablesFile } from "../bench/results/page.ts"
import { commands, globalFlags } from "../src/commands.ts"
import { settings } from "../src/config.ts"
import type { Chosen } from "../src/core/assembly/description.ts"
import { api } from "../src/core/domain/api.ts"
import { problems } from "../src/core/domain/problems/problems.ts"
import { conformChapters } from "../src/examiner/conform/chapters.ts"
import { descriptionsOf } from "../src/parts/descriptions/descriptions.ts"
import { openapi } from "../src/parts/descriptions/openapi/document.ts"
import { allTools } from "../src/parts/mcp/tools.ts"
import { sandbox } from "../src/parts/sandbox/contract.ts"
import { catalogue } from "../src/parts/sandbox/defects/catalogue/catalogue.ts"
import { listed } from "../src/parts/sandbox/defects/defects.ts"
import { agentChapters } from "../src/parts/sandbox/exam/agent/chapters.ts"
import { chapters } from "../src/parts/sandbox/exam/chapters.ts"
import { descriptionsOfV2 } from "../src/parts/v2/descriptions.ts"
import { version } from "../src/program.ts"
import { clientTypes } from "./harness/client-types.ts"
import {
  agentsPage,
  apiPage,
  clientRoutes,
  configurationPage,
  conformPage,
  defectsPage,
  examPage,
  problemsPage,
  sandboxRoutes,
  wholeHelp,
} from "./harness/generated-docs.ts"

const root = join(import.meta.dirname, "..")

/** Generated and committed files, so that a review shows changes of the public surface. */
const generated: Record<string, () => string | Promise<string>> = {
  "openapi.json": () => `${JSON.stringify(openapi(api, version), null, 2)}\n`,
  "cli.txt": () => wholeHelp(commands, globalFlags),
  "docs/api.md": () => apiPage(api, sandbox),
  "docs/problems.md": () => problemsPage(problems),
  "docs/defects.md": () => defectsPage(listed(catalogue)),
  "docs/exam.md": () => examPage(chapters),
  "docs/agents.md": () => agentsPage(agentChapters),
  "docs/conform.md": () => conformPage(conformChapters),
  "docs/results/tables.json": tablesFile,
  "src/client/routes.ts": () => clientRoutes(api),
  "src/parts/sandbox/client/sandbox-routes.ts": () => sandboxRoutes(sandbox),
  "docs/configuration.md": () => configurationPage(settings),
  ...Object.fromEntries(Object.entries(clientTypes(api)).map(([file, text]) => [file, () => text])),
  "docs/descriptions/openapi-3.0.json": () => written("openapi.json", { version: "3.0" }),
  "docs/descriptions/sandbox.openapi.json": () => `${JSON.stringify(openapi(sandbox, version, "", []), null, 2)}\n`,
  "docs/descriptions/openapi-3.2.json": () => written("openapi.json", { version: "3.2" }),
  "docs/descriptions/openapi.classic.json": () => written("openapi.classic.json"),
  "docs/descriptions/asyncapi.json": () => written("asyncapi.json"),
  "docs/descriptions/arazzo.json": () => written("arazzo.json"),
  "docs/descriptions/postman.json": () => written("postman.json"),
  "docs/descriptions/requests.http": () => written("requests.http"),
  "docs/descriptions/swagger.json": () => written("swagger.json"),
  "docs/descriptions/mcp-tools.json": () =>
    `${JSON.stringify(
      allTools(sandbox).map(({ listed }) => listed),
      null,
      1,
    )}\n`,
}

/** A description as a new sandbox serves it. */
async function written(name: string, chosen: Chosen = {}): Promise<string> {
  const publicUrl = () => "http://127.0.0.1:8080"
  const described = { api, version, publicUrl, sampleKey: "special-key" }
  const all = [...descriptionsOf(described), ...descriptionsOfV2(described)]
  const text = await all.find(({ path }) => path.endsWith(`/${name}`))?.write(chosen)
  return name.endsWith(".json") ? `${JSON.stringify(JSON.parse(text as string), null, 2)}\n` : (text as string)
}

for (const [file, make] of Object.entries(generated))
  test(`${file} is up to date`, async (t) => {
    const text = await make()
    try {
      t.assert.fileSnapshot(text, join(root, file), { serializers: [(text) => text] })
    } catch (error) {
      const message = `${file} does not match the code. If the change is intended, run npm run golden and commit the file.`
      throw new Error(message, { cause: error })
    }
  })
