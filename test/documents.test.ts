import assert from "node:assert/strict"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test } from "node:test"

const root = join(import.meta.dirname, "..")

test("every link from one document to another leads somewhere", () => {
  const broken: string[] = []
  for (const document of globSync("{*.md,docs/*.md}", { cwd: root }))
    for (const [, target] of readFileSync(join(root, document), "utf8").matchAll(/\]\((?!\w+:)([^)#\s]+)[^)]*\)/g))
      if (!existsSync(join(root, dirname(document), target as string))) broken.push(`${document} → ${target}`)
  assert.deepEqual(broken, [])
})
