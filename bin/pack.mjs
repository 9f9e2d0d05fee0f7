// Runs before `npm pack`, on Node 20 and later.
import { fileURLToPath } from "node:url"
import { install } from "./install.mjs"
import { run } from "./runtime.mjs"

install({ forTests: true })
run([fileURLToPath(new URL("build.mjs", import.meta.url))])
