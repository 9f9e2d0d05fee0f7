/** Hears how far a command is: `done` of `total`, in `unit`. */
export type Report = (
  what: string,
  done: number,
  total: number | undefined,
  unit: "MiB" | "images" | "files" | "rows",
) => void

const mebibyte = 1024 * 1024

export const reportBytes = (report: Report, what: string) => (done: number, total: number) =>
  report(what, Math.round(done / mebibyte), Math.ceil(total / mebibyte), "MiB")
