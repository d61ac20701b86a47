import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type CommandAction, openCommandRunner } from './commands.ts'

function aRunner(action: CommandAction | undefined, underway: string[] = []) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const begun = new Set(underway)
  const claims: { id: string; commandId: string }[] = []
  const ends: unknown[] = []
  const runner = openCommandRunner({
    journal: { knows: (id) => begun.has(id), begin: (id) => void begun.add(id), underway: () => underway },
    claim: (claim) => void claims.push(claim),
    action: () => action,
    report: (commandId, outcome) => void ends.push({ commandId, ...outcome }),
    failed: (error) => void ends.push(error),
  })
  onTestFinished(runner.stop)
  const id = randomUUID()
  return { runner, claims, ends, id, command: { id, type: 1, parameters: {}, expiresInSeconds: 60 } }
}

test('a command is executed once, after a go', async () => {
  const action = vi.fn<CommandAction>(async () => ({ outcome: 'success' }))
  const { runner, ends, id, command } = aRunner(action)
  runner.command(command)
  runner.command(command)
  expect(action).not.toHaveBeenCalled()
  runner.go({ commandId: id, go: true })
  runner.go({ commandId: id, go: true })
  runner.command(command)
  await vi.waitFor(() => expect(ends).toEqual([{ commandId: id, outcome: 'success' }]))
  expect(action).toHaveBeenCalledTimes(1)
})

test('without a go it is not executed, and a lost answer is requested again with the same claim', () => {
  const action = vi.fn<CommandAction>()
  const { runner, claims, id, command } = aRunner(action)
  runner.command(command)
  vi.advanceTimersByTime(60_000)
  expect(claims).toHaveLength(4)
  expect(new Set(claims.map((claim) => claim.id)).size).toBe(1)
  runner.command(command)
  runner.go({ commandId: id, go: false })
  expect(action).not.toHaveBeenCalled()
})

test('a failure has its words, an unknown command is unsupported, and a command that a power cut ended is an error', async () => {
  const failing = aRunner(async () => {
    throw new Error('relay is missing')
  })
  failing.runner.command(failing.command)
  failing.runner.go({ commandId: failing.id, go: true })
  await vi.waitFor(() => expect(failing.ends).toMatchObject([{ outcome: 'error', info: 'relay is missing' }]))

  const unknown = aRunner(undefined)
  unknown.runner.command(unknown.command)
  unknown.runner.go({ commandId: unknown.id, go: true })
  await vi.waitFor(() => expect(unknown.ends).toMatchObject([{ outcome: 'unsupported' }]))

  const cut = aRunner(undefined, ['a'])
  cut.runner.resume()
  expect(cut.ends).toMatchObject([{ commandId: 'a', outcome: 'error' }])
})
