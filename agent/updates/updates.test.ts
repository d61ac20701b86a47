import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openJournal } from '../journal/journal.ts'
import { openCommandRunner } from '../portal/commands.ts'
import { agentVersion } from '../version.ts'
import { openUpdates } from './updates.ts'
import { openVersions } from './versions.ts'

const base = '0.0.0.1'
const time = { utc: '2026-01-01T12:00:00Z', local: '2026-01-01T13:00:00' }

/** An agent's folder in which a command of an update has begun. */
function aFolder() {
  vi.stubEnv('GETTONE_AGENT_BASE', base)
  const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  const commandId = randomUUID()
  const journal = openJournal(join(folder, 'journal'))
  journal.begin(commandId)
  journal.close()
  return { folder, commandId, versions: openVersions(folder, base) }
}

/** One start of the agent. Returns what it has reported of commands, and what the portal's answer does. */
function start(folder: string) {
  const journal = openJournal(join(folder, 'journal'))
  const report = (
    commandId: string,
    outcome: { outcome: 'success' | 'warning' | 'error' | 'unsupported'; info?: string },
  ) => journal.add({ kind: 'result', at: 0, commandId, ...outcome })
  const updates = openUpdates({
    folder,
    access: { portal: 'http://127.0.0.1:1', serial: 'A-1', secret: '' },
    progress: () => {},
    report(commandId, outcome) {
      if (journal.underway().includes(commandId)) report(commandId, outcome)
    },
    idle: async () => {},
    restart: () => {},
    signal: new AbortController().signal,
    // There is no portal here, so the key is not renewed.
    failed: () => {},
  })
  const runner = openCommandRunner({ journal, claim: () => {}, action: () => undefined, report, failed: () => {} })
  runner.resume(updates.executedId())
  updates.reportEnd()
  return {
    answered: () => updates.confirmed(time),
    end() {
      const results = journal.pending().flatMap((item) => (item.kind === 'result' ? [item.outcome] : []))
      journal.close()
      return results
    },
  }
}
const release = (version: string) => ({ version, files: [{ name: 'main.mjs', content: Buffer.from('') }] })

test('a power cut before the new version is chosen ends the command as an error, once', () => {
  const { folder } = aFolder()
  expect(start(folder).end()).toEqual(['error'])
  expect(start(folder).end()).toEqual(['error'])
})

test('after that the command ends as a success when the portal has answered, however often the power fails before', () => {
  const { folder, commandId, versions } = aFolder()
  versions.install(release(agentVersion), { former: base, commandId })
  expect(start(folder).end()).toEqual([])
  expect(start(folder).end()).toEqual([])
  const agent = start(folder)
  agent.answered()
  agent.answered()
  expect(agent.end()).toEqual(['success'])
  expect(start(folder).end()).toEqual(['success'])
})

test('a power cut between the answer of the portal and the result loses no result', () => {
  const { folder, commandId, versions } = aFolder()
  versions.install(release(agentVersion), { former: base, commandId })
  versions.confirm()
  expect(start(folder).end()).toEqual(['success'])
  expect(start(folder).end()).toEqual(['success'])
})

test('the former version reports that the new one was left, once', () => {
  const { folder, commandId, versions } = aFolder()
  versions.install(release('9.9.9.9'), { former: agentVersion, commandId })
  versions.goBack('it was started 3 times')
  expect(start(folder).end()).toEqual(['error'])
  expect(start(folder).end()).toEqual(['error'])
})

test('a program that says another version than its release is not confirmed', () => {
  const { folder, commandId, versions } = aFolder()
  versions.install(release('9.9.9.9'), { former: agentVersion, commandId })
  const agent = start(folder)
  agent.answered()
  expect(agent.end()).toEqual([])
  expect(versions.trial()).toEqual({ version: '9.9.9.9', commandId })
})
