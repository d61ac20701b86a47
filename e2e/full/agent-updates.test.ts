import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { PortSettings } from '#agent/ports/port-settings.ts'
import { writeSettings } from '#agent/settings/settings.ts'
import { blobOfUpdate } from '#server/http/upload.ts'
import type { GatewayHint } from '#server/live/hub.ts'
import { runRollouts } from '#server/worker/rollouts.ts'
import { superviseAgent } from '#testkit/agent/supervised-agent.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aRunningRollout } from '#testkit/nouns/rollouts.ts'
import { aFirmware, withFile } from '#testkit/nouns/updates.ts'
import { bundleAgent, type Program, releaseOf } from '../../scripts/agent/bundle.ts'
import { buildDebianPackage, hasDpkg } from '../../scripts/agent/debian.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const until = { timeout: 60_000, interval: 250 }
const packaged = '0.1.0.0'

function aFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The agent as its Debian package installs it, or its files where packages cannot be built. Returns its launcher. */
async function aPackage(): Promise<string> {
  const program = await bundleAgent(packaged)
  const folder = aFolder()
  if (hasDpkg && process.arch === 'x64') {
    const path = buildDebianPackage(program, 'amd64', folder)
    execFileSync('dpkg-deb', ['--extract', path, folder])
    return join(folder, 'usr', 'bin', 'gettone-agent')
  }
  for (const { name, content } of [program.main, program.launcher]) writeFileSync(join(folder, name), content)
  return join(folder, program.launcher.name)
}

/** A running agent of a machine. Its port is absent, which changes nothing here. */
function anAgent(launcher: string, server: TestGateway, machine: TestMachine, transport: 'mqtt' | 'http') {
  const folder = aFolder()
  const { hostname, port } = new URL(server.mqttUrl)
  mkdirSync(folder, { recursive: true })
  writeSettings(folder, {
    portal: server.httpUrl,
    serial: machine.serial,
    secret: machine.secret,
    epoch: machine.epoch,
    transport,
    mqtt: { host: hostname, port: Number(port), tls: false },
    machine: PortSettings.parse({ path: '/dev/ttyUSB99' }),
    readEvery: 0,
  })
  return superviseAgent(launcher, folder, { GETTONE_AGENT_TRIAL_SECONDS: '20' })
}

/** Starts a rollout of a version to some machines; the worker decides until the test ends. */
async function aRollout(server: TestGateway, program: Program, machines: readonly TestMachine[]) {
  const { version } = program
  const file = Buffer.from(releaseOf(program))
  const firmwareId = await aFirmware(database, { release: version, deviceTypes: ['AZVT'] })
  await withFile(database, 'firmwares', firmwareId)
  const [stored] = await database.admin<{ file_id: string }>(
    'update firmwares set file_bytes = $2, file_sha256 = $3 where id = $1 returning file_id',
    [firmwareId, file.length, createHash('sha256').update(file).digest('hex')],
  )
  await server.blobs.put(blobOfUpdate(stored?.file_id ?? ''), [file])
  const [{ merchantId } = { merchantId: '' }] = machines
  return aRunningRollout(database, {
    merchantId,
    firmwareId,
    release: version,
    target: { by: 'machines', posIds: machines.map(({ id }) => id) },
    plan: { cohorts: [{ by: 'percent', size: 100 }], healthMinutes: 0 },
  })
}

test('a rollout brings two agents to a version, and an agent comes back from a broken one', async () => {
  const server = await aGateway(database)
  const { id: merchantId } = await aMerchant(database)
  const machines = [await aMachine(database, merchantId), await aMachine(database, merchantId)] as const
  const launcher = await aPackage()
  const agents = [anAgent(launcher, server, machines[0], 'mqtt'), anAgent(launcher, server, machines[1], 'http')]
  const said = () => agents.map((agent) => agent.said()).join('\n')
  const live = {
    announce: () => {},
    announceToGateways: (merchantId: string, word: GatewayHint, machineId: string) =>
      server.tell({ merchantId, words: [word], machineIds: [machineId] }),
  }
  const decide = () =>
    runRollouts({ doors: database, vault: server.vault, live, config: { publicUrl: server.httpUrl } }, new Date())
  const versions = async () =>
    (
      await database.admin<{ version: string }>(
        `select version from machine_versions where merchant_id = $1 and kind = 'firmware' order by machine_id`,
        [merchantId],
      )
    ).map(({ version }) => version)
  const commands = () =>
    database.admin<{ result: number; info: string; phase: string | null }>(
      `select result, result_info as info, progress_phase as phase from remote_commands where merchant_id = $1 and type = 11
      order by created_at, id`,
      [merchantId],
    )
  await vi.waitFor(async () => expect(await versions(), said()).toEqual([packaged, packaged]), until)

  const good = await bundleAgent('0.1.0.1')
  await aRollout(server, good, machines)
  await decide()
  await vi.waitFor(async () => expect(await versions(), said()).toEqual(['0.1.0.1', '0.1.0.1']), until)
  await vi.waitFor(async () => {
    // Steps that arrive together may be stored in any order.
    const phase = expect.stringMatching(/^(downloading|checking|installing)$/)
    const ended = { result: 0, info: 'Version 0.1.0.1 runs', phase }
    expect(await commands(), said()).toEqual([ended, ended])
  }, until)

  // This ends the first rollout: a machine is in one rollout at a time.
  await decide()
  const main = { name: 'main.mjs', content: Buffer.from('throw new Error("This version is broken")') }
  const rollout = await aRollout(server, { ...good, version: '0.1.0.2', main }, [machines[0]])
  await decide()
  await vi.waitFor(async () => {
    const info = 'Version 0.1.0.2 was left: it was started 3 times and did not reach the portal'
    expect((await commands())[2], said()).toMatchObject({ result: 2, info })
  }, until)
  expect(await versions()).toEqual(['0.1.0.1', '0.1.0.1'])
  expect(said()).toContain('This version is broken')
  await decide()
  const [row] = await database.admin('select state, halt from rollouts where id = $1', [rollout])
  expect(row).toMatchObject({ state: 'halted' })
}, 300_000)
