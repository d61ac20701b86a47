import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openJournal } from '#agent/journal/journal.ts'

const writer = join(import.meta.dirname, '..', 'testkit', 'agent', 'journal-writer.ts')

/** Writes until it is killed, after a random time. Returns the numbers that it printed. */
async function writeAndDie(path: string): Promise<number[]> {
  const child = spawn(process.execPath, [writer, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let text = ''
  child.stdout.on('data', (bytes: Buffer) => {
    text += bytes.toString()
  })
  await once(child.stdout, 'data')
  await pause(Math.random() * 100)
  child.kill('SIGKILL')
  await exited
  // The last line may have been cut.
  return text.split('\n').slice(0, -1).map(Number)
}

test('an agent that is killed twenty times while it writes has each item once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'journal')
  const printed: number[] = []
  for (let time = 0; time < 20; time++) printed.push(...(await writeAndDie(path)))

  const journal = openJournal(path)
  const items = journal.pending()
  journal.close()
  expect(items.map(({ seq }) => seq)).toEqual(Array.from(items, (_, index) => index + 1))
  expect(items.every((item) => item.kind === 'event' && item.code === `N${item.seq}`)).toBe(true)
  expect(printed).toEqual([...new Set(printed)])
  expect(items.length).toBeGreaterThanOrEqual(printed.at(-1) ?? 0)
  // A kill loses at most the print of what is on the disk already.
  expect(items.length - printed.length).toBeLessThanOrEqual(20)
  expect(printed.length).toBeGreaterThan(20)
})
