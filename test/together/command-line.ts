import { runTogether } from "../harness/together.ts"

runTogether("command-line")
