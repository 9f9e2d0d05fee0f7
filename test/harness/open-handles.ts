import { after } from "node:test"

/**
 * Loaded into the process of every test file. A server or socket that nobody closed keeps such a process alive after its
 * last test, and the run would wait for it without end (`--test-timeout` covers tests, not files); this makes it a failure.
 */
const patienceMs = 20_000

if (process.env.NODE_TEST_CONTEXT)
  after(() => {
    setTimeout(() => {
      process.stderr.write(`${process.argv[1]} left open: ${process.getActiveResourcesInfo().join(", ")}\n`)
      process.exit(1)
    }, patienceMs).unref()
  })
