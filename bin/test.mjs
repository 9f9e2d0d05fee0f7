import { install, run } from "./runtime.mjs"

const given = process.argv.slice(2)
install({ forTests: true })
run(["--test", "--test-concurrency=4", ...(given.length > 0 ? given : ["src/**/*.test.ts", "test/**/*.test.ts"])])
