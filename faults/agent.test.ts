import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openJournal } from '#agent/journal/journal.ts'
import { PortSettings } from '#agent/ports/port-settings.ts'
import { writeSettings } from '#agent/settings/settings.ts'
import { randomFrom } from '#simulator/random.ts'
import { type AgentProcess, startAgentProcess } from '#testkit/agent/agent-process.ts'
import { hasPortPairs, openPortPair } from '#testkit/agent/port-pair.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { isFullRun } from '#testkit/full-run.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { noteFinding } from './findings.ts'
import { isFull } from './harness.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const kills = isFull || isFullRun ? 20 : 5
/** The moments of the kills follow from it. */
const seed = 'agent 20'

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

    // Each start reads the machine. Every other time the agent is killed within the transfer, and otherwise while it sends what it has read.
    const random = randomFrom(seed)
    const until = { timeout: 120_000, interval: 5 }
    const start = async () => {
      rmSync(join(folder, 'agent.pid'), { force: true })
      const agent = startAgentProcess('run', '--folder', folder)
      await vi.waitFor(() => expect(existsSync(join(folder, 'agent.pid')), agent.said()).toBe(true), until)
      return agent
    }
    const hasRead = (agent: AgentProcess) => vi.waitFor(() => expect(agent.said()).toMatch(/read \d+ bytes/), until)
    /** What is in the journal. A copy, since opening a journal repairs it. */
    const journalled = () => {
      const copy = join(folder, 'journal-copy')
      copyFileSync(join(folder, 'journal'), copy)
      const journal = openJournal(copy)
      const pending = journal.pending()
      const lastSeq = journal.lastSeq()
      journal.close()
      return { pending, lastSeq }
    }

    const whole = await start()
    const began = performance.now()
    await hasRead(whole)
    const transferMs = performance.now() - began
    await whole.kill('SIGKILL')
    let withinTransfer = 0
    for (let time = 1; time < kills; time++) {
      const agent = await start()
      if (time % 2 === 0) await pause(random.next() * transferMs * 0.5)
      else {
        await hasRead(agent)
        await pause(random.next() * 300)
      }
      if (!/read \d+ bytes/.test(agent.said())) withinTransfer++
      await agent.kill('SIGKILL')
    }
    const last = await start()
    await hasRead(last)
    const stored = async () =>
      (
        await database.admin<{ seq: number }>(
          `select seq::int from audits where machine_id = $1 union all select seq::int from events where machine_id = $1 order by 1`,
          [machine.id],
        )
      ).map(({ seq }) => seq)
    await vi.waitFor(() => expect(journalled().pending).toEqual([]), { timeout: 60_000, interval: 500 })
    await last.kill('SIGTERM')

    const { lastSeq, pending } = journalled()
    const given = Array.from({ length: lastSeq }, (_, index) => index + 1)
    const seqs = await stored()
    const lost = given.filter((seq) => !seqs.includes(seq)).length
    const twice = seqs.length - new Set(seqs).size
    console.info(
      `seed “${seed}”: ${kills} kills, ${withinTransfer} of them within a transfer; ${lastSeq} items in the journal, lost ${lost}, twice ${twice}`,
    )
    noteFinding({
      fault: `the agent is killed ${kills} times`,
      load: 'a machine over DDCMP, read at each start',
      acknowledged: lastSeq,
      missing: lost,
      twice,
      wrongHours: null,
      recoverySeconds: null,
    })
    expect({ lost, twice, pending }).toEqual({ lost: 0, twice: 0, pending: [] })
    expect(seqs).toEqual(given)
    expect(withinTransfer).toBeGreaterThan(0)
    expect(given.length).toBeGreaterThan(kills / 2)
    expect(gateway.warnings).toEqual([])
  },
  600_000,
)
