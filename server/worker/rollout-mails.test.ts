import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aFirmware, reportsVersion, withFile } from '#testkit/nouns/updates.ts'
import type { Message } from '../mail/mail.ts'
import { mailHalts } from './rollout-mails.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
}, 60_000)
afterAll(() => api?.close())

const config = { NO_DATA_MINUTES: 60, publicUrl: 'https://portal.example.com' }

/** The mails of one pass, with an optional failure of the mail server. */
async function mailed(at = new Date(), failure?: Error): Promise<Message[]> {
  const sent: Message[] = []
  const send = async (message: Message) => {
    if (failure) throw failure
    sent.push(message)
  }
  await mailHalts({ doors: api.database, mail: { send }, config }, at)
  return sent.toSorted((one, other) => one.to.localeCompare(other.to))
}
const to = (messages: readonly Message[]) => messages.map((message) => message.to)

let made = 0
/** A started rollout in the north, and people: who may resume it and who may not. */
async function aRollout() {
  const { database } = api
  const { id: merchantId } = await aMerchant(database, { name: `Caffè Alfa ${++made}` })
  const north = await aGroup(database, merchantId, 'North')
  const south = await aGroup(database, merchantId, 'South')
  const machine = await aMachine(database, merchantId, { groupId: north, deviceType: 'AZVT' })
  await reportsVersion(database, machine, '1.0.0.0')
  const person = async (role: Role, groups: 'all' | string[], { language = 'en', isAsking = true } = {}) => {
    const user = await aUser(database, role, [{ merchantId, groups }])
    await database.admin('update users set receive_notifications = $2, language = $3 where id = $1', [
      user.id,
      isAsking,
      language,
    ])
    return user
  }
  const admin = await person('merchantAdmin', 'all', { language: 'de' })
  const ofNorth = await person('groupAdmin', [north])
  const ofSouth = await person('groupAdmin', [south])
  await person('merchantUser', 'all')
  await person('merchantAdmin', 'all', { isAsking: false })
  const firmwareId = await aFirmware(database, { release: `3.0.0.${++made}`, deviceTypes: ['AZVT'] })
  await withFile(database, 'firmwares', firmwareId)
  const as = api.as(admin)
  const { id } = await as.createFirmwareRule({
    params: { merchantId },
    body: { name: 'Night update', firmwareId, target: { by: 'groups', groupIds: [north] } },
  })
  const params = { merchantId, firmwareRuleId: id }
  const control = (command: 'start' | 'halt' | 'resume', by = admin) =>
    api.as(by).controlFirmwareRollout({ params, body: { command } })
  await control('start')
  /** It halts automatically, because a machine failed. */
  const halts = () =>
    database.admin(
      `update rollouts set state = 'halted', halted_at = now(), is_notice_due = true, halted_by = null,
        halt = '{"cause": "failed", "count": 3, "allowed": 1, "size": 20}' where id = $1`,
      [id],
    )
  return { merchantId, id, admin, ofNorth, ofSouth, control, halts }
}
test('a halt is mailed once to the users who may resume the rollout, in their language', async () => {
  const { id, merchantId, admin, ofNorth, halts } = await aRollout()
  expect(await mailed()).toEqual([])
  await halts()
  const mails = await mailed()
  expect(to(mails)).toEqual([admin.email, ofNorth.email].toSorted())
  const german = mails.find((mail) => mail.to === admin.email)
  expect(german?.subject).toContain('Angehalten: Rollout Night update')
  expect(german?.text).toContain('3 von 20')
  expect(german?.text).toContain(`https://portal.example.com/devices/firmware-rules/${id}?merchant=${merchantId}`)
  const english = mails.find((mail) => mail.to === ofNorth.email)
  expect(english?.subject).toMatch(/^Halted: rollout Night update to 3\.0\.0\./)
  expect(english?.text).toContain('Caffè Alfa')
  expect(await mailed()).toEqual([])
})

test('after a resume, a new halt is mailed again; the user who halts it gets no mail', async () => {
  const { admin, ofNorth, control, halts } = await aRollout()
  await halts()
  expect(await mailed()).toHaveLength(2)
  await control('resume')
  expect(await mailed()).toEqual([])
  await control('halt', ofNorth)
  const [mail, ...others] = await mailed()
  expect(mail?.to).toBe(admin.email)
  expect(others).toEqual([])
})

test('a mail that fails is sent later under the same id, unless the halt has ended or the user may not resume it', async () => {
  const { ofNorth, admin, merchantId, control, halts } = await aRollout()
  await halts()
  const now = Date.now()
  expect(await mailed(new Date(now), new Error('refused'))).toEqual([])
  const ids = await api.database.admin<{ mail_id: string }>(
    'select mail_id from rollout_notices where merchant_id = $1',
    [merchantId],
  )
  await api.database.admin(`update users set status = 'suspended' where id = $1`, [ofNorth.id])
  const later = await mailed(new Date(now + 120_000))
  expect(to(later)).toEqual([admin.email])
  expect(ids.map(({ mail_id }) => mail_id)).toContain(later[0]?.id)

  await control('resume')
  await halts()
  expect(await mailed(new Date(now), new Error('refused'))).toEqual([])
  await control('resume')
  expect(await mailed(new Date(now + 3_600_000))).toEqual([])
})

test('two workers mail a halt once, and without the feature it is not mailed', async () => {
  const { halts, control, merchantId } = await aRollout()
  await halts()
  const both = await Promise.all([mailed(), mailed()])
  expect(both.flat()).toHaveLength(2)
  await control('resume')
  await api.database.admin(`update merchant_features set features = '{}' where merchant_id = $1`, [merchantId])
  await halts()
  expect(await mailed()).toEqual([])
})

test('the dashboard and the alarms name a halted rollout to users who see it, until it is resumed', async () => {
  const { id, merchantId, admin, ofNorth, ofSouth, control, halts } = await aRollout()
  const haltedOf = async (user: typeof admin) => {
    const { haltedRollouts } = await api.as(user).getDashboard({ params: { merchantId } })
    expect(await api.as(user).listHaltedRollouts({ params: { merchantId } })).toEqual(haltedRollouts)
    return haltedRollouts
  }
  expect(await haltedOf(admin)).toEqual([])
  await halts()
  const line = { id, name: 'Night update', kind: 'firmware', halt: { cause: 'failed', count: 3, allowed: 1, size: 20 } }
  expect(await haltedOf(admin)).toMatchObject([line])
  expect(await haltedOf(ofNorth)).toMatchObject([line])
  expect(await haltedOf(ofSouth)).toEqual([])
  const reader = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  expect((await api.as(reader).getDashboard({ params: { merchantId } })).haltedRollouts).toEqual([])
  await control('resume')
  expect(await haltedOf(admin)).toEqual([])
})
