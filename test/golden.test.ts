import { join } from "node:path"
import { test } from "node:test"
import { openapi } from "../src/api/openapi/document.ts"
import { commands } from "../src/cli/commands.ts"
import { settings } from "../src/config/settings.ts"
import { api } from "../src/domain/api.ts"
import { problems } from "../src/domain/problems/problems.ts"
import { sandbox } from "../src/domain/sandbox/contract.ts"
import { version } from "../src/program.ts"
import { clientTypes } from "./harness/client-types.ts"
import {
  apiPage,
  clientRoutes,
  configurationPage,
  problemsPage,
  sandboxRoutes,
  wholeHelp,
} from "./harness/generated-docs.ts"

const root = join(import.meta.dirname, "..")

/** Generated and committed files, so that a review shows changes of the public surface. */
const generated: Record<string, () => string> = {
  "openapi.json": () => `${JSON.stringify(openapi(api, version), null, 2)}\n`,
  "cli.txt": () => wholeHelp(commands),
  "docs/api.md": () => apiPage(api, sandbox),
  "docs/problems.md": () => problemsPage(problems),
  "src/client/routes.ts": () => clientRoutes(api),
  "src/client/sandbox-routes.ts": () => sandboxRoutes(sandbox),
  "docs/configuration.md": () => configurationPage(settings),
  ...Object.fromEntries(Object.entries(clientTypes(api)).map(([file, text]) => [file, () => text])),
}

for (const [file, make] of Object.entries(generated))
  test(`${file} is up to date`, (t) => {
    try {
      t.assert.fileSnapshot(make(), join(root, file), { serializers: [(text) => text] })
    } catch (error) {
      const message = `${file} does not match the code. If the change is intended, run npm run golden and commit the file.`
      throw new Error(message, { cause: error })
    }
  })
