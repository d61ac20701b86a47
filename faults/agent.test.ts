import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openJournal } from '#agent/journal/journal.ts'
import { PortSettings } from '#agent/ports/port-settings.ts'
import { writeSettings } from '#agent/settings/settings.ts'
import { type AgentProcess, startAgentProcess } from '#testkit/agent/agent-process.ts'
import { hasPortPairs, openPortPair } from '#testkit/agent/port-pair.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { isFull } from './harness.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const kills = isFull ? 20 : 5

test.skipIf(!hasPortPairs)(
  `an agent that is killed ${kills} times while it reads and sends loses nothing and sends nothing twice`,
  async () => {
    const gateway = await aGateway(database)
    const { id: merchantId } = await aMerchant(database)
    const machine = await aMachine(database, merchantId)
    const ports = await openPortPair()
    onTestFinished(ports.close)
    const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    startAgentProcess(
      'emulate',
      '--port',
      ports.machine,
      '--selections',
      '20',
      ...['--protocol', 'ddcmp', '--baud', '38400'],
    )
    const { hostname, port } = new URL(gateway.mqttUrl)
    writeSettings(folder, {
      portal: gateway.httpUrl,
      serial: machine.serial,
      secret: machine.secret,
      epoch: machine.epoch,
      transport: 'mqtt',
      mqtt: { host: hostname, port: Number(port), tls: false },
      machine: PortSettings.parse({ path: ports.carrier, protocol: 'ddcmp', baud: 38_400 }),
      readEvery: 0,
    })

    // Each start reads the machine; over DDCMP it takes each START. Every other time the agent is killed within the transfer, and otherwise while it
    // sends what it has read.
    const hasRead = (agent: AgentProcess) =>
      vi.waitFor(() => expect(agent.said()).toMatch(/read \d+ bytes/), { timeout: 120_000, interval: 20 })
    for (let time = 0; time < kills; time++) {
      const agent = startAgentProcess('run', '--folder', folder)
      if (time % 2 === 0) await pause(500 + Math.random() * 3000)
      else {
        await hasRead(agent)
        await pause(Math.random() * 300)
      }
      await agent.kill('SIGKILL')
    }
    const last = startAgentProcess('run', '--folder', folder)
    await hasRead(last)
    const stored = () =>
      database.admin<{ seq: number }>(
        `select seq::int from audits where machine_id = $1 union all select seq::int from events where machine_id = $1 order by 1`,
        [machine.id],
      )
    const lastSeq = async () => (await stored()).at(-1)?.seq ?? 0
    await vi.waitFor(async () => expect(await lastSeq()).toBeGreaterThan(0), { timeout: 30_000, interval: 200 })
    await pause(2000)
    await last.kill('SIGTERM')

    const journal = openJournal(join(folder, 'journal'))
    const given = Array.from({ length: journal.lastSeq() }, (_, index) => index + 1)
    const waiting = journal.pending()
    journal.close()
    expect(waiting).toEqual([])
    expect(given.length).toBeGreaterThan(kills / 2)
    expect(given.length).toBeLessThan(kills + 3)
    expect((await stored()).map(({ seq }) => seq)).toEqual(given)
    expect(gateway.warnings).toEqual([])
  },
)
