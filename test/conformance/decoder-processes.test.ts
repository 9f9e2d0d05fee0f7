// Runs in a process of its own.
import { decoderProcesses } from "../../src/imaging/decoder.ts"
import { imageDecoderConformance } from "./image-decoder/suite.ts"

imageDecoderConformance("Processes with sharp", decoderProcesses)
