import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import { StoppedError } from '../../threads/stopped.ts'
import { ThreadEndedError } from '../../threads/thread.ts'
import { createAuditReader } from './audit-reader.ts'

const file = (text: string) => Buffer.from(text)
const report = file(
  'DXS*GET0000001*VA*V0/6*1\r\nST*001*0001\r\nID4*2*978*EUR\r\nVA1*350*3\r\nG85*0000\r\nSE*5*0001\r\nDXE*1*1\r\n',
)

function aReader(script?: URL) {
  const reader = createAuditReader(script)
  onTestFinished(() => reader.stop())
  return reader
}

/** A thread that answers with the length of a file, and exits on an empty file. */
async function aThreadThatDies(): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'gettone-thread-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const script = join(folder, 'thread.mjs')
  await writeFile(
    script,
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ bytes }) => bytes.length ? parentPort.postMessage(bytes.length) : process.exit(1))`,
  )
  return pathToFileURL(script)
}

test('a file has the same result in the thread and in the caller', async () => {
  const reader = aReader()
  expect(await reader.read(report, 'EUR')).toEqual(readAudit(report, { fallback: 'EUR' }))
  // The file is a slice of a larger buffer.
  const part = Buffer.concat([file('noise'), report, file('noise')]).subarray(5, 5 + report.length)
  expect(await reader.read(part, null)).toEqual(readAudit(report))
  expect(part.length).toBe(report.length)
})

test('reading a megabyte of noise does not block the gateway', async () => {
  const reader = aReader()
  await reader.read(report, null)
  const noise = file('PA1*1\nPA2*1*1\n'.repeat(75_000))
  let turns = 0
  let isRead = false
  const reading = reader.read(noise, null).finally(() => {
    isRead = true
  })
  while (!isRead) {
    turns += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  await reading
  // Parsed here, it would block the event loop for a whole turn.
  expect(turns).toBeGreaterThan(20)
})

test('a file that crashes the thread is refused alone, and the files behind it are read', async () => {
  const reader = aReader(await aThreadThatDies())
  const answers = await Promise.allSettled([
    reader.read(file('abc'), null),
    reader.read(file(''), null),
    reader.read(file('abcd'), null),
  ])
  expect(answers).toEqual([
    { status: 'fulfilled', value: 3 },
    { status: 'rejected', reason: expect.any(ThreadEndedError) },
    { status: 'fulfilled', value: 4 },
  ])
})

test('when the system cannot start a thread, the file is not refused and may be sent again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gettone-thread-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const script = join(folder, 'thread.mjs')
  await writeFile(script, `throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })`)
  const reader = aReader(pathToFileURL(script))
  for (let time = 0; time < 2; time++) {
    const [answer] = await Promise.allSettled([reader.read(report, 'EUR')])
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'EMFILE' } })
    expect(answer).not.toMatchObject({ reason: expect.any(ThreadEndedError) })
  }
})

test('stopping rejects all waiting files', async () => {
  const reader = aReader()
  const answers = Promise.allSettled([reader.read(report, null), reader.read(report, null)])
  await reader.stop()
  const refused = { status: 'rejected', reason: expect.any(StoppedError) }
  expect(await answers).toEqual([refused, refused])
  await expect(reader.read(report, null)).rejects.toThrow(StoppedError)
})
