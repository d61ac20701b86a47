import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Outcome, openCommandRunner } from './command-runner.ts'
import { randomFrom } from './random.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function aCommandRunner(underway: string[] = []) {
  const claims: string[] = []
  const reports: [string, Outcome][] = []
  const runner = openCommandRunner({
    behaviour: 'success',
    random: randomFrom('obey'),
    handled: [],
    underway,
    keep: () => {},
    claim: (commandId) => claims.push(commandId),
    action: () => () => undefined,
    report: (commandId, outcome) => reports.push([commandId, outcome]),
  })
  return { runner, claims, reports, underway }
}
const aCommand = () => ({ id: randomUUID(), type: 9, parameters: {}, expiresInSeconds: 60 })

test('a machine claims a command, executes it on approval, and reports the result', () => {
  const { runner, claims, reports, underway } = aCommandRunner()
  const command = aCommand()
  runner.command(command)
  vi.advanceTimersByTime(1000)
  expect(claims).toEqual([command.id])
  expect(reports).toEqual([])
  runner.go({ commandId: command.id, go: true })
  expect(underway).toEqual([command.id])
  vi.advanceTimersByTime(2000)
  expect(reports).toEqual([[command.id, { outcome: 'success', info: undefined }]])
  expect(underway).toEqual([])
})

test('a machine that stops during a command sends nothing more, and reports the command’s end after the next start', () => {
  const { runner, claims, reports, underway } = aCommandRunner()
  const running = aCommand()
  const asking = aCommand()
  runner.command(running)
  vi.advanceTimersByTime(1000)
  runner.go({ commandId: running.id, go: true })
  runner.command(asking)
  runner.stop()
  vi.advanceTimersByTime(60_000)
  expect(claims).toEqual([running.id])
  expect(reports).toEqual([])
  expect(underway).toEqual([running.id])
  const again = aCommandRunner(underway)
  again.runner.resume()
  expect(again.reports).toEqual([[running.id, { outcome: 'error', info: 'E-90 power failed meanwhile' }]])
})
