import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAway } from '#database/frame/transient.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aCommand } from '#testkit/machines/machine-data.ts'
import { noteFinding } from './findings.ts'
import { isFull } from './harness.ts'

const races = isFull ? 10_000 : 300
const machinesAtOnce = 5

let api: TestApi
let server: TestGateway
let operator: TestClient
let merchantId: string
beforeAll(async () => {
  api = await openTestApi()
  server = await openGateway(api.database)
  merchantId = (await aMerchant(api.database)).id
  operator = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(async () => {
  await server?.stop()
  await api?.close()
})

/** The result of a race, from each side's responses. */
interface Ending {
  commandId: string
  isCancelled: boolean
  isExecuted: boolean
}

async function race(machine: TestMachine, seq: number): Promise<Ending> {
  const knownMachine = await server.gateway.authenticate(machine.serial, Buffer.from(machine.secret))
  if (!knownMachine) throw new Error('The machine is not known')
  const tell = async (kind: 'claim' | 'result', message: object) => {
    const payload = Buffer.from(JSON.stringify({ id: randomUUID(), at: '2026-11-21T08:00:00', ...message }))
    for (;;) {
      try {
        return await server.gateway.receive(knownMachine, kind, payload)
      } catch (error) {
        // The connection broke without an answer: a machine repeats its message.
        if (!isAway(error)) throw error
      }
    }
  }
  const commandId = await aCommand(api.database, machine, {})
  // Either side may be first, or both arrive together.
  const cancelLater = Math.random() * 4
  const claimLater = Math.random() * 4
  const [isCancelled, isExecuted] = await Promise.all([
    pause(cancelLater)
      .then(() => operator.cancelRemoteCommand({ params: { merchantId, commandId } }))
      .then(
        ({ status }) => status === 3,
        () => false,
      ),
    pause(claimLater).then(async () => {
      const claimId = randomUUID()
      const { answer } = await tell('claim', { id: claimId, commandId })
      // If the connection broke at that moment, the repeated claim gets the same response.
      const again = await tell('claim', { id: claimId, commandId })
      expect(again.answer?.go).toEqual(answer?.go)
      if (!answer?.go?.go) return false
      await tell('result', { epoch: 1, items: [{ seq, at: '2026-11-21T08:00:00', commandId, outcome: 'success' }] })
      return true
    }),
  ])
  return { commandId, isCancelled, isExecuted }
}

test('a command that is cancelled and claimed at the same time ends once: cancelled or executed', async () => {
  const machines = await Promise.all(Array.from({ length: machinesAtOnce }, () => aMachine(api.database, merchantId)))
  const endings: Ending[] = []
  await Promise.all(
    machines.map(async (machine) => {
      for (let seq = 1; seq <= races / machinesAtOnce; seq++) endings.push(await race(machine, seq))
    }),
  )
  const both = endings.filter(({ isCancelled, isExecuted }) => isCancelled && isExecuted)
  const neither = endings.filter(({ isCancelled, isExecuted }) => !isCancelled && !isExecuted)
  noteFinding({
    fault: 'a command cancelled while its machine claims it',
    load: `${races} races, ${machinesAtOnce} at once`,
    acknowledged: endings.length,
    missing: neither.length,
    twice: both.length,
    wrongHours: null,
    recoverySeconds: null,
  })
  expect([both, neither]).toEqual([[], []])
  const rows = await api.database.admin<{ id: string; status: number; result: number }>(
    'select id, status, result from remote_commands',
  )
  const storedOutcomes = new Map(rows.map(({ id, status, result }) => [id, `${status} ${result}`]))
  for (const { commandId, isCancelled } of endings)
    expect(storedOutcomes.get(commandId)).toBe(isCancelled ? '3 -3' : '2 0')
  // Each side wins sometimes.
  expect(endings.filter(({ isCancelled }) => isCancelled).length).toBeGreaterThan(0)
  expect(endings.filter(({ isExecuted }) => isExecuted).length).toBeGreaterThan(0)
})
