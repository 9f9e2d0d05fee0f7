import { runTogether } from "../harness/together.ts"

runTogether("nouns")
