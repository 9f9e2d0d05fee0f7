// Decision: docs/decisions/runtime.md#modules-load-once-the-service-is-ready

/**
 * The parts of node:http in use. An import statement would read every export of the module, including those that load WebSocket
 * and fetch, which takes a tenth of every start.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } = process.getBuiltinModule("node:http")
