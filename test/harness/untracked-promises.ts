import asyncHooks from "node:async_hooks"

/**
 * Loaded before node:test, which follows every promise to the test that made it, and so takes a fifth of the run. Without that,
 * an unhandled rejection fails its file instead of its test; `together.test.ts` checks that it does.
 */
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
