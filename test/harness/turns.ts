/** Resolves when what is possible without a timer or the disk has happened: after some turns of the event loop. */
export async function turns(): Promise<void> {
  for (let n = 0; n < 20; n++) await new Promise(setImmediate)
}
