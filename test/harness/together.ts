import { globSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { describe } from "node:test"

export const root = join(import.meta.dirname, "..", "..")

/**
 * Test files that share a process with the others of their group, one after the other: loading and starting the service
 * takes longer than most of them. What takes long itself, or waits at its top level, has a process of its own.
 */
export const groups = {
  domain: ["src/domain/**/*.test.ts"],
  "command-line": ["src/{cli,client}/**/*.test.ts"],
  service: ["src/!(domain|cli|client)/**/*.test.ts", "src/*.test.ts"],
  pages: ["test/web/**/*.test.ts"],
  surface: [
    "test/!(static).test.ts",
    "test/{domain,sandbox}/*.test.ts",
    "test/http/!(oauth)/*.test.ts",
    "test/http/*.test.ts",
    "test/storage/!(s3-*|bounded-questions).test.ts",
  ],
  oauth: ["test/http/oauth/*.test.ts"],
}

/** Runs the tests of a group's files in this process, those of each file in a suite, so that its hooks are its own. */
export function runTogether(group: keyof typeof groups): void {
  const require = createRequire(import.meta.url)
  for (const file of filesOf(groups[group])) describe(file, () => void require(join(root, file)))
}

export const filesOf = (patterns: readonly string[]): string[] => globSync(patterns, { cwd: root }).sort()
