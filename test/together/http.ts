import { runTogether } from "../harness/together.ts"

runTogether("http")
