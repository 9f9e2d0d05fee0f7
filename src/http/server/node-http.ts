/**
 * What the service takes from node:http. An import statement would read every export of the module, those included that
 * load WebSocket and fetch: a tenth of every start.
 */
export const { createServer, IncomingMessage, STATUS_CODES } = process.getBuiltinModule("node:http")
