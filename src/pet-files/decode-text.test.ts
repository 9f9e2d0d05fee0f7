import assert from "node:assert/strict"
import { test } from "node:test"
import { gzipSync } from "node:zlib"
import { readPetFile } from "./read-pet-file.ts"

async function read(bytes: Uint8Array, size = 4096) {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const { lines } = await readPetFile(chunks(), 1_000, {})
  const found = await Array.fromAsync(lines)
  return found.map((each) => ("draft" in each ? each.draft.name : `${each.line.number}: ${each.rejection.detail}`))
}

const littleEndian = (text: string) => Buffer.from(text, "utf16le")
const bigEndian = (text: string) => littleEndian(text).swap16()
const formats = [
  "name\tid\r\nZoë 🐕\t1\r\nMia\t2\r\n",
  '{"name":"Zoë 🐕"}\n{"name":"Mia"}\n',
  '[{"name":"Zoë 🐕"},\n{"name":"Mia"}]',
  '{"pets":[{"name":"Zoë 🐕"},{"name":"Mia"}]}',
]

test("a text in UTF-16 is read like one in UTF-8 in every format, with and without a byte order mark", async () => {
  for (const text of formats)
    for (const bytes of [text, `\ufeff${text}`].flatMap((each) => [
      Buffer.from(each),
      littleEndian(each),
      bigEndian(each),
    ]))
      for (const size of [1, 3, 4096]) assert.deepEqual(await read(bytes, size), ["Zoë 🐕", "Mia"], text)
})

test("UTF-16 that is cut or has half a character is refused, and nothing of it is changed silently", async () => {
  for (const bytes of [littleEndian("name\nRex").subarray(0, -1), bigEndian("\ufeffname\n\ud83d!")])
    await assert.rejects(read(bytes), /is in UTF-16, with characters that are invalid or incomplete/)
})

test("the Ctrl-Z at the end of a file of DOS is no line, in every format, and elsewhere it is text", async () => {
  for (const text of formats)
    for (const end of ["\x1a", "\x1a".repeat(90)])
      for (const bytes of [Buffer.from(text + end), littleEndian(text + end)])
        for (const size of [64, 4096]) assert.deepEqual(await read(bytes, size), ["Zoë 🐕", "Mia"], text)
  assert.deepEqual(await read(Buffer.from("name\na\x1ab\n"), 1), ["a\x1ab"])
})

test("a file in another format is named by its first bytes, with what to do, also when it is compressed or in UTF-16", async () => {
  const zip = (name: string) => Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(26), Buffer.from(name)])
  const tar = Buffer.concat([Buffer.from("pets.csv"), Buffer.alloc(249), Buffer.from("ustar\x0000")])
  const bytes = (hex: string) => Buffer.from(hex.padEnd(60, "0"), "hex")
  for (const [file, expected] of [
    [zip("[Content_Types].xml"), /workbook .*as CSV in UTF-8/],
    [zip("mimetypeapplication/vnd.oasis.opendocument.spreadsheet"), /workbook/],
    [bytes("d0cf11e0a1b11ae1"), /workbook/],
    [zip("pets.csv"), /archive .*unpack it/],
    [bytes("504b0506"), /archive/],
    [gzipSync("name\nRex\n"), /compressed by gzip: unpack it with gunzip/],
    [bytes("28b52ffd"), /compressed/],
    [tar, /archive/],
    [Buffer.from("%PDF-1.4\n%âã"), /PDF document/],
    [bytes("89504e470d0a1a0a"), /image/],
    [bytes("ffd8ffe0"), /image/],
    [Buffer.from("SQLite format 3\0"), /SQLite database/],
    [bytes("5041523115"), /data program/],
    [Buffer.from("\ufeff\n<!DOCTYPE html><html>Sign in"), /web page: sign in/],
    [Buffer.from('<?xml version="1.0"?>\n<!-- <p> --><!-- x -->\n<HTML>'), /web page/],
    [littleEndian("\ufeff<html><body>"), /web page/],
    [Buffer.from("<pets><pet><name>X</name></pet></pets>"), /is XML: convert it/],
    [bigEndian('\ufeff<?xml version="1.0"?><pets/>'), /is XML/],
    [Buffer.from(`${"<!--".repeat(5_000)}`), /is XML/],
    [Buffer.from("--\n-- PostgreSQL database dump\n--"), /dump of a database/],
    [Buffer.from("-- MySQL dump 10.13  Distrib 8.0\n"), /dump of a database/],
    [Buffer.from("version https://git-lfs.github.com/spec/v1\noid sha256:0"), /git lfs pull/],
    [Buffer.from("{\\rtf1\\ansi"), /formatted document/],
    [bytes("fffe00006e000000"), /UTF-32/],
    [bytes("cafebabe"), /is binary, not text/],
  ] as const)
    await assert.rejects(read(file), expected)
  for (const text of ["PK,name\n1,Rex", "name\n<b>Rex</b>", "BM,name\n1,Rex", "ORC,name\n1,Rex", "insert,name\n1,Rex"])
    assert.match(String(await read(Buffer.from(text))), /Rex/)
})
