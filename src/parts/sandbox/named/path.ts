/** The parent path of named sandboxes, for test runs. */
export const namedSandboxesPath = "/s/"

export const sandboxPath = (name: string): string => `${namedSandboxesPath}${name}`
