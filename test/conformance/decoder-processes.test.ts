import { decoderProcesses } from "../../src/imaging/decoder.ts"
import { imageDecoderConformance } from "./image-decoder/suite.ts"

imageDecoderConformance("Processes with sharp", decoderProcesses)
