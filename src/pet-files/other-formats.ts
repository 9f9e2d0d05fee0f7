import { noPets } from "./no-pets.ts"

const workbook = "is a workbook or another document of an office program: save the table with the pets as CSV in UTF-8"
const packed = "is an archive or compressed: unpack it, and import the file in it"
const image = "is an image or a video, not a list of pets"

/** The first bytes of binary formats, in hexadecimal. */
const binaryFormats: readonly (readonly [starts: readonly string[], sentence: string])[] = [
  // Office documents are ZIP archives whose first file is [Content_Types].xml or mimetype; the older ones are OLE2.
  [["504b0304.{52}5b436f6e74656e74", "504b0304.{52}6d696d6574797065", "d0cf11e0a1b11ae1"], workbook],
  [["504b0304", "504b0506"], packed],
  [["1f8b"], "is compressed by gzip: unpack it with gunzip"],
  // zstd, bzip2, xz, 7-Zip, RAR and tar.
  [["28b52ffd", "425a68.{2}314159", "fd377a585a00", "377abcaf271c", "526172211a", ".{514}7573746172"], packed],
  [["89504e47", "ffd8ff", "474946383[79]61", "52494646.{8}57454250", "49492a00", "4d4d002a", ".{8}66747970"], image],
  [["53514c69746520666f726d6174203300"], "is an SQLite database: export the table with the pets as CSV"],
  // Parquet, Arrow, ORC and Avro.
  [
    ["5041523115", "4152524f57310000", "4f52430[^9ad]", "4f626a01"],
    "is a binary file of a data program: export it as CSV",
  ],
  [["fffe0000", "0000feff"], "is in UTF-32: save it as UTF-8"],
]

/** How texts of other formats begin. */
const textFormats: readonly (readonly [start: RegExp, sentence: string])[] = [
  [/^%PDF-/, "is a PDF document: ask for the table as CSV"],
  [/^\{\\rtf/, "is a formatted document (RTF): save it as plain text"],
  [/^version https:\/\/git-lfs/, "is a pointer of Git LFS, not the file: run git lfs pull"],
  [
    /^(PGDMP|(\/\*![^*]*\*\/\s*)?(--\s)?-- (PostgreSQL|MySQL|MariaDB)[^\n]* dump|PRAGMA foreign_keys|(CREATE TABLE|INSERT INTO) )/i,
    "is a dump of a database: export the table with the pets as CSV",
  ],
  [
    /^(<\?xml[^>]*>\s*)?(<!--(?:(?!-->).)*-->\s*)*(<!doctype html|<html)/is,
    "is a web page: sign in to the site, and download the file again",
  ],
  [/^<([?!]|[a-z_][\w.:-]*[\s/>])/i, "is XML: convert it to CSV or JSON"],
]

/** Throws the Problem of a file in another format, by its first bytes, with what to do. */
export function refuseOtherFormat(head: Buffer, encoding = "utf-8"): void {
  const hex = head.toString("hex")
  const text = new TextDecoder(encoding).decode(head).trimStart()
  const binary = binaryFormats.find(([starts]) => starts.some((start) => new RegExp(`^${start}`).test(hex)))
  const other = binary ?? textFormats.find(([start]) => start.test(text))
  if (other) throw noPets(other[1])
}
