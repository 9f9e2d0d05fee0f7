/** What somebody on the machine itself may ask for: access to the files is the authority, so it needs no credential. */
export type AdminRequest =
  | { action: "create-key"; name: string }
  | { action: "rotate-sealing" }
  | { action: "rotate-signing"; forgetOld: boolean }
  | { action: "confirm-clock" }
  | { action: "inspect" }

/** What came of it, by name; `error` says why nothing did. */
export type AdminAnswer = Readonly<Record<string, string | number>>
