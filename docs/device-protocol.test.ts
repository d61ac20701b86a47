import { spawn } from 'node:child_process'
import { randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { deviceLimits, protocolVersion, refusalCodes, upKinds } from '#contract/device-protocol.ts'
import { auditOrigins, auditPorts } from '#contract/vocabulary/audit.ts'
import { authorisationRefusals } from '#contract/vocabulary/cashless.ts'
import { networkTypes } from '#contract/vocabulary/device.ts'
import { mediaSources, mediaTypes, priceTables, transactionTypes } from '#contract/vocabulary/transaction.ts'
import { createPins } from '#server/gateway/pins.ts'
import { aDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { requireTool, tools } from '../scripts/tools.ts'

const page = readFileSync(join(import.meta.dirname, 'device-protocol.md'), 'utf8')

interface Example {
  commands: string
  /** What the page says that they answer; `…` stands for anything. */
  answer: unknown
}

/** The shell blocks of the page, each with the JSON block that follows it. */
function examplesOf(text: string): Example[] {
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, body = '']) => ({ language, body }))
  return blocks.flatMap(({ language, body }, index) => {
    if (language !== 'sh') return []
    const next = blocks[index + 1]
    return [{ commands: body, answer: next?.language === 'json' ? JSON.parse(next.body) : undefined }]
  })
}

function expectation(answer: unknown): unknown {
  if (answer === '…') return expect.anything()
  if (Array.isArray(answer)) return answer.map(expectation)
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, expectation(value)]))
}

const examples = examplesOf(page)
const between = '--- next example ---'

/** Runs all examples in one shell, as a reader would, and answers what each printed. */
async function runAll(
  settings: Record<string, string>,
  beforeExample: (commands: string) => Promise<void>,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'device-protocol-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const paths = [tools.mosquittoPub, tools.mosquittoSub].map((tool) => dirname(requireTool(tool)))
  const shell = spawn('bash', ['-eu', '-o', 'pipefail'], {
    cwd: folder,
    env: { ...process.env, PATH: [...paths, process.env.PATH].join(':') },
  })
  let said = ''
  let complaints = ''
  const ended = new Promise<number | null>((resolve) => shell.on('close', resolve))
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const outputs: string[] = []
  for (const { commands } of examples) {
    await beforeExample(commands)
    const filled = commands.replace(/^(\w+)=.*$/gm, (line, name: string) =>
      name in settings ? `${name}=${settings[name]}` : line,
    )
    shell.stdin.write(`${filled}\necho; echo '${between}'\n`)
    const until = Date.now() + 30_000
    while (!said.includes(between)) {
      if (shell.exitCode !== null || Date.now() > until)
        throw new Error(`The example failed:\n${filled}\n${said}\n${complaints}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    outputs.push(said.slice(0, said.indexOf(between)).trim())
    said = said.slice(said.indexOf(between) + between.length)
  }
  shell.stdin.end()
  expect(await ended, complaints).toBe(0)
  return outputs
}

/** What an operator's order in the portal makes. */
const order = (database: TestDatabase, serial: string) =>
  database.admin(
    `insert into remote_commands (merchant_id, id, machine_id, type, parameters, status, created_at, not_before, expires_at, next_attempt_at)
     select merchant_id, $1, id, 1, '{}', 0, now(), now(), now() + interval '1 hour', now() from machines where serial = $2`,
    [randomUUIDv7(), serial],
  )

beforeAll(() => expect(examples.length).toBeGreaterThan(10))

test('every example of the page does what the page says', async () => {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const server = await aGateway(database)
  const pin = await createPins(server.config.secretKey).givePin(database, merchant.id)
  const settings = {
    SERVER: server.httpUrl,
    BROKER: '127.0.0.1',
    MQTT_PORT: String(server.gateway.mqttPort),
    PIN: pin,
    SERIAL: 'LAB-0001',
  }
  const outputs = await runAll(settings, async (commands) => {
    if (commands.includes('/commands"')) await order(database, settings.SERIAL)
  })
  examples.forEach(({ answer, commands }, index) => {
    if (answer === undefined) return
    expect(JSON.parse(outputs[index] ?? ''), commands).toEqual(expectation(answer))
  })

  const [machine] = await database.admin(`select * from machines where serial = 'LAB-0001'`)
  expect(machine).toMatchObject({ name: 'Laboratory', firmware_version: '1.0.0', cash_in_box: '4250', pos_status: 2 })
  expect(await database.admin('select selection, status from machine_stock order by selection')).toEqual([
    { selection: '12', status: 4 },
    { selection: '13', status: 9 },
  ])
  expect(await database.admin('select price from machine_prices order by price_table')).toEqual([
    { price: '120' },
    { price: '110' },
  ])
  const counts = await database.admin(`select (select count(*)::int from transactions) as sales,
    (select count(*)::int from events) as events, (select count(*)::int from audits) as audits,
    (select count(*)::int from alarms where status = 'repaired') as repaired, (select count(*)::int from dead_letters) as refused,
    (select status from remote_commands) as command, (select sales_total from audits) as sold`)
  expect(counts).toEqual([{ sales: 6, events: 2, audits: 1, repaired: 1, refused: 2, command: 2, sold: '350' }])
  const [balance] = await database.admin(`select balance, reserved from ledger_accounts where kind = 'credit'`)
  expect(balance).toEqual({ balance: '380', reserved: '0' })
  expect(await database.admin('select seq, fields from unknown_fields')).toEqual([
    { seq: '10', fields: '{"cup":"XL"}' },
  ])
})

test.each([
  ['type', transactionTypes],
  ['mediaType', mediaTypes],
  ['mediaSource', mediaSources],
  ['priceTable', priceTables],
  ['origin', auditOrigins],
])('the page explains exactly the numbers of each %s', (name, vocabulary) => {
  const [, table = ''] =
    page.match(new RegExp(`^\\| ${name} \\| name \\| meaning \\|\\n\\|[- |]+\\n((?:\\|.*\\n)+)`, 'm')) ?? []
  const rows = [...table.matchAll(/^\| (\d+) \| (\w+) \| .+ \|$/gm)].map(([, number, key]) => [number, key])
  expect(rows).toEqual(Object.entries(vocabulary).map(([key, number]) => [String(number), key]))
})

test('the page names every word, code and limit of the contract', () => {
  for (const word of [...auditPorts, ...networkTypes, ...refusalCodes, ...upKinds])
    expect(page).toContain(`\`${word}\``)
  for (const reason of authorisationRefusals) expect(page).toMatch(new RegExp(`^\\| .*\`${reason}\`.* \\|`, 'm'))
  expect(page).toContain(`The protocol's version is ${protocolVersion}.`)
  const { upBytes, downBytes, auditBytes, items, gaps, keptItems, keptBytes } = deviceLimits
  const kilo = 1024
  const mega = 1024 * 1024
  for (const limit of [
    `${upBytes / kilo} KB (a bare audit over HTTP ${auditBytes / mega} MB) and ${items} items; a message down at most ${downBytes / kilo} KB`,
    `${gaps.toLocaleString('en')} gaps`,
    `${keptItems.toLocaleString('en')} items or ${keptBytes / mega} MB`,
  ])
    expect(page).toContain(limit)
})
