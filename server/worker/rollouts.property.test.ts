import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RolloutCommand } from '#contract/updates/rollout.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { createVault } from '#server/secrets/vault.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aFirmware, reportsVersion, withFile } from '#testkit/nouns/updates.ts'
import type { Message } from '../mail/mail.ts'
import { mailHalts } from './rollout-mails.ts'
import { runRollouts } from './rollouts.ts'

/* Rollouts by whatever happens to them: users decide, machines fail and move, versions change, mails fail. */

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
}, 30_000)
afterAll(() => api?.close())

const minute = 60_000
const start = Date.UTC(2026, 10, 24, 1)
const live = { announce: () => {}, announceToGateways: () => {} }
const sql = <Row extends object>(text: string, values: unknown[]) => api.database.admin<Row>(text, values)

const people = {
  starts: { role: 'merchantAdmin', sees: 'all', decides: true },
  asks: { role: 'merchantAdmin', sees: 'all', decides: true },
  ofGroup: { role: 'groupAdmin', sees: 'own', decides: true },
  ofOther: { role: 'groupAdmin', sees: 'other', decides: false },
  reads: { role: 'merchantUser', sees: 'all', decides: false },
} as const satisfies Record<string, { role: Role; sees: string; decides: boolean }>
type Person = keyof typeof people
const deciders = (Object.keys(people) as Person[]).filter((name) => people[name].decides)

const release = '2.0.0.0'
let build = 0

/** A started rollout to a group's machines, with users who may and may not resume it. */
async function aRollout(versions: readonly string[], allowDowngrade: boolean) {
  const { database } = api
  const { id: merchantId } = await aMerchant(database)
  const own = await aGroup(database, merchantId)
  const other = await aGroup(database, merchantId)
  const users = {} as Record<Person, Awaited<ReturnType<typeof aUser>>>
  for (const [name, { role, sees }] of Object.entries(people)) {
    const groups = sees === 'all' ? ('all' as const) : [sees === 'own' ? own : other]
    users[name as Person] = await aUser(database, role, [{ merchantId, groups }])
  }
  await sql('update users set receive_notifications = true where id = any($1)', [
    Object.values(users).map(({ id }) => id),
  ])
  const machines: TestMachine[] = []
  for (const version of versions) {
    const machine = await aMachine(database, merchantId, { groupId: own, deviceType: 'AZVT' })
    await reportsVersion(database, machine, version, { at: new Date(start - 60 * minute) })
    machines.push(machine)
  }
  const firmwareId = await aFirmware(database, { release: `${release.slice(0, -1)}${++build}`, deviceTypes: ['AZVT'] })
  await withFile(database, 'firmwares', firmwareId)
  const admin = api.as(users.starts)
  const { id } = await admin.createFirmwareRule({
    params: { merchantId },
    body: {
      name: 'Night update',
      firmwareId,
      target: { by: 'groups', groupIds: [own] },
      installWindow: null,
      cohorts: [
        { by: 'machines', size: 2 },
        { by: 'percent', size: 100 },
      ],
      goodPercent: 100,
      healthMinutes: 10,
      silentMinutes: 15,
      failedPercent: 0,
      silentPercent: 0,
      alarmedPercent: 0,
      allowDowngrade: true,
    },
  })
  // Versions become newer after a rule was written too. Then it is not refused.
  await sql(`update rollouts set plan = plan || jsonb_build_object('allowDowngrade', $2::boolean) where id = $1`, [
    id,
    allowDowngrade,
  ])
  const params = { merchantId, firmwareRuleId: id }
  await admin.controlFirmwareRollout({ params, body: { command: 'start' } })
  return { merchantId, own, other, users, machines, admin, id, params, release: `${release.slice(0, -1)}${build}` }
}

const machineNumber = fc.nat(5)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('passes' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('mails' as const), fails: fc.boolean(), workers: fc.constantFrom(1, 2) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('decides' as const),
      command: fc.constantFrom<RolloutCommand>('halt', 'resume', 'retry', 'pause', 'back', 'end'),
      by: fc.constantFrom(...deciders),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('ends' as const), machine: machineNumber, isGood: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('asks' as const),
      who: fc.constantFrom(...deciders),
      isAsking: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('leaves' as const),
      who: fc.constantFrom(...deciders),
      isActive: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('turns' as const),
      machine: machineNumber,
      into: fc.oneof(
        fc.record({ connection: fc.constantFrom(1, 2) }),
        fc.record({ group: fc.constantFrom('own' as const, 'other' as const) }),
        fc.record({ deviceType: fc.constantFrom('AZVT', 'CUNI') }),
        fc.record({ version: fc.constantFrom('1.0.0.0', '9.0.0.0') }),
      ),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** A halt, with the users whose mails wait; null before a worker has prepared them. */
interface Halt {
  haltedBy: Person | null
  waiting: Set<Person> | null
}

/** What happens to one rollout, and what must hold after it. */
async function course(allowDowngrade: boolean, versions: readonly string[]) {
  const started = await aRollout(versions, allowDowngrade)
  const { merchantId, id, params, users, machines, admin } = started
  const asking = new Map<Person, boolean>(deciders.map((name) => [name, true]))
  const active = new Map<Person, boolean>(deciders.map((name) => [name, true]))
  let now = start
  let mailClock = start
  let halt: Halt | null = null
  let mailsSent = 0
  let hasMoved = false

  const stateOf = async () => {
    const [row] = await sql<{ state: string; halted_at: Date | null; direction: string }>(
      'select state, halted_at, direction from rollouts where id = $1',
      [id],
    )
    if (!row) throw new Error('The rollout is gone.')
    return row
  }
  let haltedAt: number | null = null
  /** Notices that the rollout has halted or runs again. */
  const note = async (by: Person | null) => {
    const { state, halted_at } = await stateOf()
    const at = state === 'halted' ? (halted_at?.getTime() ?? null) : null
    if (at !== haltedAt) halt = at === null ? null : { haltedBy: by, waiting: null }
    haltedAt = at
  }
  const recipients = (haltedBy: Person | null) => {
    const others = deciders.filter((name) => active.get(name) && name !== haltedBy)
    const possible = others.filter((name) => asking.get(name) || name === 'starts')
    return new Set(possible.length > 0 ? possible : others)
  }
  const listed = async () => (await admin.listFirmwareRolloutMachines({ params, query: { size: 100 } })).items
  const facts = async () =>
    new Map(
      (
        await sql<{ id: string; mayStart: boolean; version: string; hasCommand: boolean }>(
          `select m.id, v.version, m.connection = 1 and m.group_id = $2 and m.device_type = 'AZVT' as "mayStart",
             exists (select 1 from remote_commands c where c.machine_id = m.id and c.status in (0, 1)) as "hasCommand"
           from machines m join machine_versions v on v.machine_id = m.id where m.merchant_id = $1`,
          [merchantId, started.own],
        )
      ).map((row) => [row.id, row]),
    )

  async function passes(minutes: number) {
    now += minutes * minute
    const before = await listed()
    const was = await facts()
    const { direction } = await stateOf()
    const next = before.filter(({ reason }) => reason === 'next').map(({ posId }) => posId)
    for (const posId of next) {
      const machine = was.get(posId)
      expect(machine?.hasCommand).toBe(false)
      if (direction === 'back') continue
      expect(machine?.mayStart).toBe(true)
      if (!allowDowngrade) expect(machine?.version).not.toBe('9.0.0.0')
    }
    const deps = { doors: api.database, vault: createVault(api.config.secretKey), live, config: api.config }
    await runRollouts(deps, new Date(now))
    const after = await listed()
    const sent = after.filter(({ sentAt }) => sentAt && Date.parse(`${sentAt}Z`) === now).map(({ posId }) => posId)
    for (const posId of sent) {
      const machine = was.get(posId)
      expect([posId, machine?.hasCommand]).toEqual([posId, false])
      if (direction === 'forward') expect(machine?.mayStart).toBe(true)
      if (direction === 'forward' && !allowDowngrade) expect(machine?.version).not.toBe('9.0.0.0')
    }
    // Unless the minute itself brought an outcome, it starts exactly the machines that were named.
    const others = (rows: typeof before) =>
      JSON.stringify(
        rows
          .filter(({ posId }) => !sent.includes(posId))
          .map(({ posId, state }) => [posId, state])
          .toSorted(),
      )
    const isQuiet = others(before) === others(after) && (await stateOf()).state === 'running'
    if (isQuiet) expect(sent.toSorted()).toEqual(next.toSorted())
    await note(null)
  }

  async function mails(fails: boolean, workers: number) {
    mailClock += 13 * 60 * minute
    const sent: Message[] = []
    const send = async (message: Message) => {
      if (fails) throw new Error('refused')
      sent.push(message)
    }
    const config = { NO_DATA_MINUTES: 60, publicUrl: 'https://portal.example.com' }
    const work = () => mailHalts({ doors: api.database, mail: { send }, config }, new Date(mailClock))
    await Promise.all(Array.from({ length: workers }, work))
    let expected: Person[] = []
    if (halt) {
      const waiting: Set<Person> = halt.waiting ?? recipients(halt.haltedBy)
      halt.waiting = waiting
      // A user who may not resume it now gets no mail about this halt.
      for (const name of waiting) if (!active.get(name)) waiting.delete(name)
      if (!fails) {
        expected = [...waiting]
        waiting.clear()
      }
    }
    const subject = /Night update/
    expect(sent.every((mail) => subject.test(mail.subject))).toBe(true)
    expect(sent.map(({ to }) => to).toSorted()).toEqual(expected.map((name) => users[name].email).toSorted())
    mailsSent += sent.length
  }

  async function isNamedWhileHalted() {
    const isHalted = (await stateOf()).state === 'halted'
    const lines = async (name: Person) => {
      const [line] = await api.as(users[name]).listHaltedRollouts({ params: { merchantId } })
      return line?.id
    }
    const reader = deciders.find((name) => active.get(name))
    if (reader) expect(await lines(reader)).toBe(isHalted ? id : undefined)
    // A machine that has moved to the other group concerns its users too.
    if (!hasMoved) expect(await lines('ofOther')).toBeUndefined()
    if (reader !== 'starts' || !isHalted) return
    const { haltedRollouts } = await admin.getDashboard({ params: { merchantId } })
    expect(haltedRollouts.map((line) => line.id)).toEqual([id])
  }

  const machineAt = (number: number) => machines[number % machines.length] as TestMachine

  async function take(step: Step): Promise<void> {
    switch (step.does) {
      case 'passes':
        return passes(step.minutes)
      case 'mails':
        return mails(step.fails, step.workers)
      case 'decides': {
        if (!active.get(step.by)) return
        await api
          .as(users[step.by])
          .controlFirmwareRollout({ params, body: { command: step.command } })
          .catch((problem) => expect(problem).toMatchObject({ code: 'RolloutNotPossible' }))
        return note(step.by)
      }
      case 'ends': {
        const machine = machineAt(step.machine)
        const [command] = await sql<{ id: string; version: string }>(
          `update remote_commands set status = $2, result = $3, started_at = $4, executed_at = $4
           where machine_id = $1 and status in (0, 1) returning id, parameters->>'version' as version`,
          [machine.id, step.isGood ? 2 : 5, step.isGood ? 0 : 2, new Date(now + 1)],
        )
        if (command && step.isGood)
          await reportsVersion(api.database, machine, command.version, { at: new Date(now + 2) })
        return
      }
      case 'asks':
        asking.set(step.who, step.isAsking)
        await sql('update users set receive_notifications = $2 where id = $1', [users[step.who].id, step.isAsking])
        return
      case 'leaves':
        if (step.who === 'starts') return
        active.set(step.who, step.isActive)
        await sql('update users set status = $2 where id = $1', [
          users[step.who].id,
          step.isActive ? 'active' : 'suspended',
        ])
        return
      case 'turns': {
        const { into } = step
        const machine = machineAt(step.machine)
        if ('version' in into) return reportsVersion(api.database, machine, into.version, { at: new Date(now) })
        hasMoved ||= 'group' in into && into.group === 'other'
        const [column, value] =
          'connection' in into
            ? ['connection', into.connection]
            : 'group' in into
              ? ['group_id', started[into.group]]
              : ['device_type', into.deviceType]
        await sql(`update machines set ${column} = $2, last_seen_at = $3 where id = $1`, [
          machine.id,
          value,
          new Date(now),
        ])
      }
    }
  }
  return {
    take: async (step: Step) => {
      await take(step)
      if (step.does === 'passes' || step.does === 'decides' || step.does === 'leaves') await isNamedWhileHalted()
    },
    /** Ends it, so that later passes leave it alone. Returns how many mails were sent. */
    ends: async () => {
      await sql(`update rollouts set state = 'ended', halted_at = null, is_notice_due = false where id = $1`, [id])
      await sql('delete from rollout_notices where rollout_id = $1', [id])
      return mailsSent
    },
  }
}

/** Every machine that has started fails, so that the rollout halts. */
const failing: Step[] = [
  ...[0, 1, 2].map((machine) => ({ does: 'ends' as const, machine, isGood: false })),
  { does: 'passes', minutes: 1 },
  { does: 'mails', fails: false, workers: 1 },
]

test('each halt is mailed once to each user who may resume the rollout, and is named while it lasts; only machines that may start are named as next and start', async () => {
  let mailed = 0
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.constantFrom('1.0.0.0', '1.0.0.0', '9.0.0.0'), { minLength: 3, maxLength: 5 }),
      fc.array(step, { minLength: 8, maxLength: 16 }),
      async (allowDowngrade, versions, steps) => {
        const rollout = await course(allowDowngrade, versions)
        try {
          await rollout.take({ does: 'passes', minutes: 1 })
          for (const one of steps) await rollout.take(one)
        } finally {
          mailed += await rollout.ends()
        }
      },
    ),
    // The example halts and mails in any case.
    { numRuns: 5, examples: [[false, Array(3).fill('1.0.0.0'), failing]] },
  )
  expect(mailed).toBeGreaterThan(0)
}, 30_000)
