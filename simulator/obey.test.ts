import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Outcome, openObedience } from './obey.ts'
import { randomFrom } from './random.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function anObedience(underway: string[] = []) {
  const claims: string[] = []
  const reports: [string, Outcome][] = []
  const obedience = openObedience({
    behaviour: 'success',
    random: randomFrom('obey'),
    taken: [],
    underway,
    keep: () => {},
    claim: (commandId) => claims.push(commandId),
    duty: () => () => undefined,
    report: (commandId, outcome) => reports.push([commandId, outcome]),
  })
  return { obedience, claims, reports, underway }
}
const aCommand = () => ({ id: randomUUID(), type: 9, parameters: {}, expiresInSeconds: 60 })

test('a machine claims a command, executes it on approval, and reports the result', () => {
  const { obedience, claims, reports, underway } = anObedience()
  const command = aCommand()
  obedience.command(command)
  vi.advanceTimersByTime(1000)
  expect(claims).toEqual([command.id])
  expect(reports).toEqual([])
  obedience.go({ commandId: command.id, go: true })
  expect(underway).toEqual([command.id])
  vi.advanceTimersByTime(2000)
  expect(reports).toEqual([[command.id, { outcome: 'success', info: undefined }]])
  expect(underway).toEqual([])
})

test('a machine that is stopped in the middle of a command says nothing more, and owes its end to the next start', () => {
  const { obedience, claims, reports, underway } = anObedience()
  const [running, asking] = [aCommand(), aCommand()]
  obedience.command(running)
  vi.advanceTimersByTime(1000)
  obedience.go({ commandId: running.id, go: true })
  obedience.command(asking)
  obedience.stop()
  vi.advanceTimersByTime(60_000)
  expect(claims).toEqual([running.id])
  expect(reports).toEqual([])
  expect(underway).toEqual([running.id])
  const again = anObedience(underway)
  again.obedience.resume()
  expect(again.reports).toEqual([[running.id, { outcome: 'error', info: 'E-90 power failed meanwhile' }]])
})
