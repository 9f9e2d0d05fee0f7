// Runs test files in this process, one after the other. Run: node bench/mutants/together.ts FILE…
import { runFilesTogether } from "../../test/harness/together.ts"

runFilesTogether(process.argv.slice(2))
