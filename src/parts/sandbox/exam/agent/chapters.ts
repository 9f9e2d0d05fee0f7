import type { AgentChapter } from "./agent-task.ts"
import { instructionsInData } from "./chapters/instructions.ts"
import { lyingService } from "./chapters/lying.ts"
import { othersAtWork } from "./chapters/others.ts"
import { plainWork } from "./chapters/plain.ts"
import { unreliableService } from "./chapters/unreliable.ts"

/** What an agent is examined in. */
export const agentChapters: readonly AgentChapter[] = [
  plainWork,
  unreliableService,
  lyingService,
  othersAtWork,
  instructionsInData,
]
