import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Rollout } from '#contract/updates/rollout.ts'
import { createVault } from '#server/secrets/vault.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aCommand, anAlarm } from '#testkit/machines/machine-data.ts'
import { aFirmware, reportsVersion, withFile } from '#testkit/nouns/updates.ts'
import { runRollouts } from './rollouts.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
}, 60_000)
afterAll(() => api?.close())

const minute = 60_000
const start = Date.UTC(2026, 10, 24, 1)
const at = (minutes: number) => new Date(start + minutes * minute)
const live = { announce: () => {}, announceToGateways: () => {} }
const pass = (minutes: number) =>
  runRollouts({ doors: api.database, vault: createVault(api.config.secretKey), live, config: api.config }, at(minutes))

let build = 0

/** A merchant with machines of version 1.0.0.0 in a group, and a started rule for it: one machine, then all. */
async function aRollout(count = 4, rule: object = {}) {
  const { id: merchantId } = await aMerchant(api.database)
  const groupId = await aGroup(api.database, merchantId)
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const machines = await Promise.all(
    Array.from({ length: count }, () => aMachine(api.database, merchantId, { groupId, deviceType: 'AZVT' })),
  )
  for (const machine of machines) await reportsVersion(api.database, machine, '1.0.0.0', { at: at(-60) })
  const old = await aFirmware(api.database, { release: '1.0.0.0', deviceTypes: ['AZVT'] })
  await withFile(api.database, 'firmwares', old)
  const release = `2.0.0.${++build}`
  const firmwareId = await aFirmware(api.database, { release, deviceTypes: ['AZVT'] })
  await withFile(api.database, 'firmwares', firmwareId)
  const body = {
    name: 'Night update',
    firmwareId,
    target: { by: 'groups' as const, groupIds: [groupId] },
    installWindow: null,
    cohorts: [
      { by: 'machines' as const, size: 1 },
      { by: 'percent' as const, size: 100 },
    ],
    goodPercent: 100,
    healthMinutes: 10,
    silentMinutes: 15,
    failedPercent: 0,
    silentPercent: 0,
    alarmedPercent: 0,
    ...rule,
  }
  const { id } = await admin.createFirmwareRule({ params: { merchantId }, body })
  const params = { merchantId, firmwareRuleId: id }
  await admin.controlFirmwareRollout({ params, body: { command: 'start' } })
  return { merchantId, groupId, admin, machines, release, id, params }
}
type Started = Awaited<ReturnType<typeof aRollout>>

const rolloutOf = ({ admin, params }: { admin: TestClient; params: Started['params'] }): Promise<Rollout> =>
  admin.getFirmwareRollout({ params })
const statesOf = async ({ admin, params }: Started) => {
  const { items } = await admin.listFirmwareRolloutMachines({ params, query: { size: 100 } })
  return items
}
const sentCommands = ({ merchantId }: Started) =>
  api.database.admin<{ id: string; machine_id: string; parameters: { version: string } }>(
    'select id, machine_id, parameters from remote_commands where merchant_id = $1 and type = 11 and status in (0, 1) order by id',
    [merchantId],
  )
const ends = (id: string, when: Date, status = 2, result = 0, info: string | null = null) =>
  api.database.admin(
    'update remote_commands set status = $2, result = $3, result_info = $5, started_at = $4, executed_at = $4 where id = $1',
    [id, status, result, when, info],
  )
const machineBy = ({ machines }: Started, id: string) => machines.find((machine) => machine.id === id) as TestMachine
/** Machines with a command install it and report the new version. */
async function allInstall(started: Started, when: Date) {
  for (const { id, machine_id, parameters } of await sentCommands(started)) {
    await ends(id, when)
    await reportsVersion(api.database, machineBy(started, machine_id), parameters.version, { at: when })
  }
  for (const machine of started.machines)
    await api.database.admin('update machines set last_seen_at = $2 where id = $1', [machine.id, when])
}

describe('a rollout', () => {
  test('starts one machine, watches it, then the others, and is complete', async () => {
    const started = await aRollout()
    await pass(0)
    await pass(1)
    expect(await sentCommands(started)).toHaveLength(1)
    await allInstall(started, at(2))
    await pass(3)
    expect((await rolloutOf(started)).counts).toMatchObject({ watching: 1, waiting: 3 })
    // Healthy for ten minutes after its own report.
    await pass(12)
    expect(await sentCommands(started)).toHaveLength(0)
    await allInstall(started, at(13))
    await pass(13)
    expect((await rolloutOf(started)).cohort).toBe(1)
    expect(await sentCommands(started)).toHaveLength(3)
    await allInstall(started, at(14))
    await pass(15)
    await pass(26)
    const done = await rolloutOf(started)
    expect(done).toMatchObject({ state: 'complete', members: 4, counts: { confirmed: 4 } })
    expect(done.history.map(({ act }) => act).toSorted()).toEqual(['cohortOpened', 'completed', 'created', 'started'])
  })

  test('sends once, whatever number of workers decide', async () => {
    const started = await aRollout()
    await Promise.all([pass(0), pass(0), pass(0)])
    expect(await sentCommands(started)).toHaveLength(1)
  })

  test('halts when a machine fails, takes back commands that no machine has claimed, and resumes on a decision', async () => {
    const started = await aRollout(4, { cohorts: [{ by: 'percent', size: 100 }] })
    await pass(0)
    const [first] = await sentCommands(started)
    await ends(first?.id ?? '', at(1), 5, 2, 'No space left')
    await pass(2)
    const halted = await rolloutOf(started)
    expect(halted).toMatchObject({ state: 'halted', halt: { cause: 'failed', count: 1, allowed: 0, size: 4 } })
    expect(halted.counts).toMatchObject({ failed: 1, waiting: 3 })
    expect(await sentCommands(started)).toHaveLength(0)
    await pass(3)
    expect(await sentCommands(started)).toHaveLength(0)
    const [bad] = await statesOf(started)
    expect(bad).toMatchObject({ state: 'failed', reason: 'refusedByMachine', detail: 'No space left' })
    const body = { command: 'resume' as const, note: 'Disk was full' }
    const resumed = await started.admin.controlFirmwareRollout({ params: started.params, body })
    expect(resumed).toMatchObject({ state: 'running', halt: null, counts: { accepted: 1, failed: 0 } })
    expect(resumed.history[0]).toMatchObject({ act: 'resumed', note: 'Disk was full', machines: 1 })
    await pass(4)
    expect(await sentCommands(started)).toHaveLength(3)
    await started.admin.controlFirmwareRollout({ params: started.params, body: { command: 'retry' } })
    await pass(5)
    expect(await sentCommands(started)).toHaveLength(4)
  })

  test('halts when a machine is silent after its go, or has new blocking alarms', async () => {
    const started = await aRollout()
    await pass(0)
    const [one] = await sentCommands(started)
    await api.database.admin('update remote_commands set status = 1, started_at = $2 where id = $1', [one?.id, at(1)])
    await api.database.admin('update machines set connection = 2, last_seen_at = $2 where id = $1', [
      one?.machine_id,
      at(2),
    ])
    await pass(16)
    expect((await rolloutOf(started)).state).toBe('running')
    await pass(17)
    expect(await rolloutOf(started)).toMatchObject({ state: 'halted', halt: { cause: 'silent' } })

    const other = await aRollout()
    await pass(20)
    await allInstall(other, at(21))
    await pass(22)
    const [watched] = (await statesOf(other)).filter(({ state }) => state === 'watching')
    const machine = machineBy(other, watched?.posId ?? '')
    await anAlarm(api.database, machine, { criticity: 4, created_at: at(23) })
    await pass(24)
    expect(await rolloutOf(other)).toMatchObject({ state: 'halted', halt: { cause: 'alarmed' } })
  })

  test('goes back to the version before in cohorts, and halts there too', async () => {
    const started = await aRollout(3)
    const goes = async (command: 'back' | 'retry') =>
      started.admin.controlFirmwareRollout({ params: started.params, body: { command } })
    await pass(0)
    await allInstall(started, at(1))
    await pass(2)
    await pass(12)
    await allInstall(started, at(13))
    await pass(14)
    expect(await rolloutOf(started)).toMatchObject({ counts: { watching: 2, confirmed: 1 }, canGoBack: 3 })
    expect(await goes('back')).toMatchObject({
      direction: 'back',
      state: 'running',
      cohort: 0,
      members: 3,
      backTo: ['1.0.0.0'],
      counts: { waiting: 3 },
    })
    await pass(15)
    const [first, ...others] = await sentCommands(started)
    expect(first?.parameters).toMatchObject({ version: '1.0.0.0', allowDowngrade: true })
    expect(others).toEqual([])
    await ends(first?.id ?? '', at(16), 5, 2, 'No space left')
    await pass(17)
    expect(await rolloutOf(started)).toMatchObject({ direction: 'back', state: 'halted', halt: { cause: 'failed' } })
    expect(await goes('retry')).toMatchObject({ state: 'running', members: 3 })
    await pass(18)
    await allInstall(started, at(19))
    await pass(20)
    expect((await rolloutOf(started)).cohorts.map(({ openedAt }) => openedAt !== null)).toEqual([true, false])
    await allInstall(started, at(31))
    await pass(31)
    expect(await sentCommands(started)).toHaveLength(2)
    await allInstall(started, at(32))
    await pass(33)
    await allInstall(started, at(44))
    await pass(44)
    expect(await rolloutOf(started)).toMatchObject({
      state: 'ended',
      direction: 'back',
      members: 3,
      counts: { confirmed: 3 },
      backTo: ['1.0.0.0'],
    })
    const { history } = await rolloutOf(started)
    expect(history).toContainEqual(expect.objectContaining({ act: 'returned', machines: 3 }))
  })

  test('retried machines stay members, and go back with the others', async () => {
    const started = await aRollout(3, { cohorts: [{ by: 'percent', size: 100 }], alarmedPercent: 50 })
    await pass(0)
    const [refused] = await sentCommands(started)
    await ends(refused?.id ?? '', at(1), 5, 2, 'No space left')
    await allInstall(started, at(1))
    await pass(2)
    const watching = (await statesOf(started)).filter(({ state }) => state === 'watching')
    await anAlarm(api.database, machineBy(started, watching[0]?.posId ?? ''), { criticity: 4, created_at: at(3) })
    await pass(4)
    expect(await rolloutOf(started)).toMatchObject({ state: 'halted', counts: { failed: 1, alarmed: 1, watching: 1 } })
    const body = { command: 'retry' as const }
    const retried = await started.admin.controlFirmwareRollout({ params: started.params, body })
    // A machine that runs the version is watched again, a machine that refused it waits.
    expect(retried).toMatchObject({ state: 'running', members: 3, counts: { watching: 2, waiting: 1, current: 0 } })
    await api.database.admin('update rollouts set synced_at = null where id = $1', [started.id])
    await pass(5)
    expect(await rolloutOf(started)).toMatchObject({ members: 3, counts: { current: 0 } })
    const back = await started.admin.controlFirmwareRollout({ params: started.params, body: { command: 'back' } })
    expect(back).toMatchObject({ members: 2, counts: { waiting: 2 } })
    const reasons = (await statesOf(started)).map(({ reason }) => reason)
    expect(reasons.filter((reason) => reason === 'keepsVersion')).toHaveLength(1)
  })

  test('a machine that got the version late, after its retry, goes back with the others', async () => {
    const started = await aRollout(1)
    await pass(0)
    const [command] = await sentCommands(started)
    const id = command?.machine_id ?? ''
    await api.database.admin('update remote_commands set started_at = $2 where id = $1', [command?.id, at(1)])
    await api.database.admin('update machines set connection = 2, last_seen_at = $2 where id = $1', [id, at(1)])
    await pass(17)
    expect((await rolloutOf(started)).counts.silent).toBe(1)
    await ends(command?.id ?? '', at(17), 3, -1)
    await started.admin.controlFirmwareRollout({ params: started.params, body: { command: 'retry' } })
    await reportsVersion(api.database, machineBy(started, id), started.release, { at: at(18) })
    await api.database.admin('update rollouts set synced_at = null where id = $1', [started.id])
    await pass(19)
    expect(await rolloutOf(started)).toMatchObject({ members: 1, counts: { watching: 1, current: 0 }, canGoBack: 1 })
  })

  test('a silent machine goes back when it answers, by what it reports then', async () => {
    const started = await aRollout(1)
    await pass(0)
    const [command] = await sentCommands(started)
    const id = command?.machine_id ?? ''
    await api.database.admin('update remote_commands set started_at = $2 where id = $1', [command?.id, at(1)])
    await api.database.admin('update machines set connection = 2, last_seen_at = $2 where id = $1', [id, at(1)])
    await pass(17)
    await ends(command?.id ?? '', at(17), 3, -1)
    await started.admin.controlFirmwareRollout({ params: started.params, body: { command: 'back' } })
    await pass(18)
    // Its last report is older than its update and proves nothing.
    expect(await rolloutOf(started)).toMatchObject({ state: 'running', counts: { waiting: 1 } })
    await reportsVersion(api.database, machineBy(started, id), started.release, { at: at(30) })
    await pass(31)
    expect((await sentCommands(started)).map(({ parameters }) => parameters.version)).toEqual(['1.0.0.0'])
  })

  test('includes machines that join the group, and drops machines that leave it', async () => {
    const started = await aRollout(3, {
      cohorts: [
        { by: 'machines', size: 1 },
        { by: 'percent', size: 100 },
      ],
    })
    const joining = await aMachine(api.database, started.merchantId, { groupId: started.groupId })
    await reportsVersion(api.database, joining, '1.0.0.0', { at: at(0) })
    // Moved to another merchant: deleted here.
    await api.database.admin('update machines set deleted_at = now(), hidden = true where id = $1', [
      started.machines[0]?.id,
    ])
    await api.database.admin('update rollouts set synced_at = $2 where id = $1', [started.id, at(-10)])
    await pass(0)
    const all = await statesOf(started)
    expect(all.find(({ posId }) => posId === joining.id)).toBeDefined()
    expect(all.find(({ posId }) => posId === started.machines[0]?.id)).toMatchObject({
      state: 'left',
      reason: 'movedAway',
    })
    expect((await rolloutOf(started)).members).toBe(3)
  })

  test('starts machines inside their window only', async () => {
    // 01:00 UTC is 02:00 in Rome.
    const started = await aRollout(2, { installWindow: { from: '03:00', to: '04:00' } })
    await pass(0)
    expect(await sentCommands(started)).toHaveLength(0)
    await pass(60)
    const [command] = await sentCommands(started)
    expect(command?.parameters).toMatchObject({ window: { from: '2026-11-24T03:00:00', until: '2026-11-24T04:00:00' } })
  })

  test('a version that was declared for other types since its rule is not sent', async () => {
    const started = await aRollout(1)
    const { firmwareId } = await started.admin.getFirmwareRule({ params: started.params })
    await api.database.admin(`update firmwares set device_types = '{CUNI}' where id = $1`, [firmwareId])
    await pass(0)
    expect(await sentCommands(started)).toEqual([])
    expect(await statesOf(started)).toMatchObject([{ state: 'held', reason: 'wrongDeviceType' }])
  })

  test('names as next exactly the machines that the next minute starts', async () => {
    const started = await aRollout(6, {
      cohorts: [
        { by: 'machines', size: 2 },
        { by: 'percent', size: 100 },
      ],
    })
    const [offline, busy] = started.machines as [TestMachine, TestMachine]
    await api.database.admin('update machines set connection = 2 where id = $1', [offline.id])
    await aCommand(api.database, busy, { type: 11, status: 0 })
    const reasons = async () => new Map((await statesOf(started)).map(({ posId, reason }) => [posId, reason]))
    const before = await reasons()
    expect(before.get(offline.id)).toBe('offline')
    expect(before.get(busy.id)).toBe('commandPending')
    expect([...before.values()].toSorted()).toEqual([
      'commandPending',
      'laterCohort',
      'laterCohort',
      'next',
      'next',
      'offline',
    ])
    await pass(0)
    const next = [...before].filter(([, reason]) => reason === 'next').map(([id]) => id)
    const sent = (await statesOf(started)).filter(({ state }) => state === 'sent').map(({ posId }) => posId)
    expect(sent.toSorted()).toEqual(next.toSorted())
    expect([...(await reasons()).values()]).not.toContain('next')
    // While the rollout does not run, nothing is next.
    await started.admin.controlFirmwareRollout({ params: started.params, body: { command: 'pause' } })
    expect([...(await reasons()).values()].filter((reason) => reason === 'notRunning')).toHaveLength(4)
  })

  test('starts nothing that cannot end in the window, and waits when the window closes while the file loads', async () => {
    // 01:00 UTC is 02:00 in Rome. Without past updates one takes half an hour.
    const started = await aRollout(1, { installWindow: { from: '01:00', to: '02:29' } })
    await pass(0)
    expect(await sentCommands(started)).toHaveLength(0)
    expect(await rolloutOf(started)).toMatchObject({ usualMinutes: 30 })

    const other = await aRollout(1, { installWindow: { from: '01:00', to: '02:31' } })
    await pass(0)
    const [command] = await sentCommands(other)
    await api.database.admin(
      `update remote_commands set progress_phase = 'downloading', progress_percent = 80, progress_at = $2 where id = $1`,
      [command?.id, at(30)],
    )
    await ends(command?.id ?? '', at(31), 5, 2, 'Window over')
    await pass(32)
    expect(await rolloutOf(other)).toMatchObject({ state: 'running', counts: { failed: 0, waiting: 1 }, canGoBack: 0 })
    expect(await statesOf(other)).toMatchObject([{ state: 'waiting', detail: 'Window over' }])
  })

  test('the usual time of an update is that of past updates of its kind', async () => {
    const started = await aRollout(4, { cohorts: [{ by: 'percent', size: 100 }] })
    await pass(0)
    await allInstall(started, at(7))
    await pass(8)
    expect(await rolloutOf(started)).toMatchObject({ usualMinutes: 8 })
  })

  test('a machine is in one rollout at a time', async () => {
    const started = await aRollout(1, { fromVersions: ['1.0.0.0'] })
    await pass(0)
    const [first] = await sentCommands(started)
    const firmwareId = await aFirmware(api.database, { release: '3.0.0.1', deviceTypes: ['AZVT'] })
    await withFile(api.database, 'firmwares', firmwareId)
    const { merchantId, admin, groupId } = started
    const rule = await admin.createFirmwareRule({
      params: { merchantId },
      body: {
        name: 'Next',
        firmwareId,
        target: { by: 'groups', groupIds: [groupId] },
        fromVersions: [started.release],
        installWindow: null,
      },
    })
    const params = { merchantId, firmwareRuleId: rule.id }
    await admin.controlFirmwareRollout({ params, body: { command: 'start' } })
    await ends(first?.id ?? '', at(1))
    await reportsVersion(api.database, machineBy(started, first?.machine_id ?? ''), started.release, { at: at(1) })
    await pass(2)
    const { items } = await admin.listFirmwareRolloutMachines({ params, query: {} })
    expect(items).toMatchObject([{ state: 'waiting', reason: 'otherRollout' }])
  })
})
