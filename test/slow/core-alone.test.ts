import { execFile } from "node:child_process"
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { promisify } from "node:util"
import { temporaryDirectory } from "../harness/directory.ts"

const root = join(import.meta.dirname, "..", "..")

test("the core type-checks where no part, no tool and no assembly is", async () => {
  using directory = temporaryDirectory()
  const at = (...path: string[]) => join(directory.path, ...path)
  cpSync(join(root, "src", "core"), at("src", "core"), {
    recursive: true,
    filter: (path) => !path.endsWith(".test.ts"),
  })
  cpSync(join(root, "src", "program.ts"), at("src", "program.ts"))
  cpSync(join(root, "package.json"), at("package.json"))
  symlinkSync(join(root, "node_modules"), at("node_modules"))
  const config = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"))
  writeFileSync(at("tsconfig.json"), JSON.stringify({ ...config, include: ["src"] }))
  await promisify(execFile)(join(root, "node_modules", ".bin", "tsc"), ["-p", directory.path, "--checkers", "1"])
})
