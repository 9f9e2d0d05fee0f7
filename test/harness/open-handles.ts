import { after } from "node:test"

/**
 * Loaded into the process of every test file. An open server or socket keeps such a process alive after its last test, and the
 * run would wait indefinitely (`--test-timeout` covers tests, not files). This reports the file as failed.
 */
const exitTimeoutMs = 20_000

if (process.env.NODE_TEST_CONTEXT)
  after(() => {
    setTimeout(() => {
      process.stderr.write(`${process.argv[1]} left open: ${process.getActiveResourcesInfo().join(", ")}\n`)
      process.exit(1)
    }, exitTimeoutMs).unref()
  })
