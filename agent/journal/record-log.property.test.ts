import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { DiskFullError, openRecordLog } from './record-log.ts'

// In memory, where the system has it: each record waits for the disk.
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'gettone-agent-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const aPath = () => join(folder, `${files++}.log`)

type Entry = { seq: number; text: string }
const entries = (texts: readonly string[]): Entry[] => texts.map((text, index) => ({ seq: index + 1, text }))
const reopened = (path: string) => {
  const log = openRecordLog<Entry>(path)
  log.close()
  return log
}

test('a file that is cut at any byte holds every record that was whole, and takes new ones', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { minLength: 1, maxLength: 6 }),
      fc.nat(),
      fc.uint8Array({ maxLength: 30 }),
      (texts, at, rest) => {
        const path = aPath()
        const log = openRecordLog<Entry>(path)
        const ends = entries(texts).map((entry) => {
          log.append([entry])
          return log.size()
        })
        log.close()
        const cut = at % (log.size() + 1)
        truncateSync(path, cut)
        // What the disk had at that place before, or zeros; without the end of a line.
        appendFileSync(
          path,
          rest.filter((byte) => byte !== 0x0a),
        )
        const whole = entries(texts).slice(0, ends.filter((end) => end <= cut).length)
        const after = openRecordLog<Entry>(path)
        expect(after.records).toEqual(whole)
        const next = { seq: 99, text: 'after the cut' }
        after.append([next])
        after.close()
        expect(reopened(path).records).toEqual([...whole, next])
        expect(reopened(path)).toMatchObject({ damaged: 0, cut: 0 })
      },
    ),
    { numRuns: 100 },
  )
})

test('a damaged record is left out and counted; those around it stay', () => {
  const path = aPath()
  const log = openRecordLog<Entry>(path)
  log.append(entries(['one', 'two', 'three']))
  log.close()
  writeFileSync(path, readFileSync(path, 'utf8').replace('two', 'tWo'))
  expect(reopened(path)).toMatchObject({ damaged: 1, records: [{ text: 'one' }, { text: 'three' }] })
})

test('a full disk is named, and what was there stays whole', () => {
  const path = aPath()
  let room = 1000
  const log = openRecordLog<Entry>(path, {
    write(fd, bytes, position) {
      if (room <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      const written = writeSync(fd, bytes, 0, Math.min(room, bytes.length), position)
      room -= written
      return written
    },
  })
  log.append(entries(['kept']))
  expect(() => log.append([{ seq: 2, text: 'x'.repeat(2000) }])).toThrow(DiskFullError)
  expect(() => log.rewrite(entries(['x'.repeat(2000)]))).toThrow(DiskFullError)
  room = 1000
  log.append([{ seq: 3, text: 'room again' }])
  log.close()
  expect(reopened(path)).toMatchObject({ cut: 0, records: [{ text: 'kept' }, { text: 'room again' }] })
})

test('a rewritten file has the new records alone', () => {
  const path = aPath()
  const log = openRecordLog<Entry>(path)
  log.append(entries(['a', 'b', 'c']))
  log.rewrite(entries(['c']))
  log.append([{ seq: 2, text: 'd' }])
  log.close()
  expect(reopened(path).records.map(({ text }) => text)).toEqual(['c', 'd'])
})
