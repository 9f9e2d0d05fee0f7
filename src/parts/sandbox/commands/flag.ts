import { type GlobalFlag, UsageError } from "../../../cli/command/command.ts"
import { sandboxPath } from "../named/path.ts"
import { sandboxName } from "../seeds/contract.ts"

/** Names the sandbox of any command, instead of one in the address. */
export const sandboxFlag: GlobalFlag = {
  name: "sandbox",
  value: "NAME",
  meaning: "The named sandbox of the service, instead of its own; made when it is first used",
  locate(url, name) {
    if (!new RegExp(sandboxName.pattern).test(name))
      throw new UsageError(`--sandbox is ${JSON.stringify(name)}; a name ${sandboxName.requirement}`)
    return url.replace(/\/s\/[^/]+$/, "") + sandboxPath(name)
  },
}
