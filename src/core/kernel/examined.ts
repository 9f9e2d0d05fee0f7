/** Of some records in order of id: those whose content does not match its hash, and the last one; undefined at the end. */
export type Examined = { damaged: number[]; last: number | undefined }
