import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Aedes } from 'aedes'
import mqtt from 'mqtt'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type AgentJournal, openJournal } from '../../journal/journal.ts'
import { openVmflowSource } from './vmflow-source.ts'

const signed = (text: string) => `${text}:${createHmac('sha256', 'secret').update(text).digest('hex')}`
const topic = 'domain.vmflow.xyz/51/sale'
const second = Math.floor(Date.now() / 1000) - 60

async function aBroker() {
  const broker = await Aedes.createBroker()
  const server = createServer(broker.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  const board = await mqtt.connectAsync(url)
  onTestFinished(async () => {
    await board.endAsync(true)
    await new Promise<void>((resolve) => broker.close(resolve))
    server.close()
  })
  return { url, sell: (text: string) => board.publishAsync(topic, text, { qos: 1 }) }
}

/** An agent that can be killed: its journal and the session at the broker stay. */
function anAgent(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
  let journal: AgentJournal
  let source: ReturnType<typeof openVmflowSource> | undefined
  let isFull = false
  let reports = 0
  const start = () => {
    journal = openJournal(join(folder, 'journal'))
    source = openVmflowSource(
      { kind: 'vmflow', broker: url, board: '51', passkey: 'secret' },
      { digits: 2, medium: 'unknown' },
      {
        serial: 'A1',
        isKnown: (name) => journal.has(name),
        failed: () => undefined,
        report(...items) {
          reports++
          if (isFull) throw new Error('The disk is full')
          journal.add(...items)
        },
      },
    )
  }
  const kill = async () => {
    await source?.close()
    journal.close()
  }
  start()
  onTestFinished(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    start,
    kill,
    reports: () => reports,
    fillDisk: (value: boolean) => {
      isFull = value
    },
    items: () => journal.pending(),
    confirm: (at: number) => journal.acknowledge({ committed: journal.lastSeq(), missing: [] }, at),
  }
}

test('sales of a board are in the journal once, also after the agent was away', async () => {
  const { url, sell } = await aBroker()
  const agent = anAgent(url)
  await vi.waitFor(async () => {
    await sell(signed(`150:3:${second}`))
    expect(agent.items()).toHaveLength(1)
  })
  await agent.kill()
  await sell(signed(`80:4:${second + 10}`))
  agent.start()
  await vi.waitFor(() => expect(agent.items()).toHaveLength(2))
  expect(agent.items()).toMatchObject([
    { kind: 'sale', mediaType: 1, priceLine: 3, value: 150, at: second * 1000 },
    { kind: 'sale', priceLine: 4, value: 80 },
  ])
})

test('a sale that did not reach the disk is sent again, and a sale that arrives again is not counted', async () => {
  const { url, sell } = await aBroker()
  const agent = anAgent(url)
  await vi.waitFor(async () => {
    await sell(signed(`150:3:${second}`))
    expect(agent.items()).toHaveLength(1)
  })
  agent.fillDisk(true)
  const before = agent.reports()
  await sell(signed(`80:4:${second + 10}`))
  await vi.waitFor(() => expect(agent.reports()).toBeGreaterThan(before))
  await agent.kill()
  agent.fillDisk(false)
  agent.start()
  await vi.waitFor(() => expect(agent.items()).toHaveLength(2))
  // The portal has both, and the journal drops them: their names stay.
  agent.confirm(0)
  agent.confirm(600_000)
  await sell(signed(`150:3:${second}`))
  await sell(signed(`90:5:${second + 20}`))
  await vi.waitFor(() => expect(agent.items()).toMatchObject([{ priceLine: 5 }]))
})
