import { fileURLToPath } from "node:url"
import { install } from "./install.mjs"
import { run } from "./runtime.mjs"

install({ forTests: true })
run([fileURLToPath(new URL("../bench/mutants/main.ts", import.meta.url)), ...process.argv.slice(2)])
