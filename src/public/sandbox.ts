/** The entry point `@petstore-service/petstore/sandbox`, for tests. */
export type { SandboxClient, SandboxClientOptions } from "../parts/sandbox/client/sandbox-client.ts"
export { createSandboxClient } from "../parts/sandbox/client/sandbox-client.ts"
