import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPins } from '#server/gateway/pins.ts'
import { associateMember } from '#simulator/load/members.ts'
import { runLoad } from '#simulator/load/run-load.ts'
import { faultsSeen, sizes } from '#testkit/browser/looks.ts'
import { aFreePort, openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aClient, aGroup, aMerchant } from '#testkit/fixtures.ts'

/* A technician with a phone in front of a new machine: scan, choose, enter the PIN, done. */

let portal: Awaited<ReturnType<typeof openPortal>>
let mqttPort: number
beforeAll(async () => {
  mqttPort = await aFreePort()
  portal = await openPortal({ MQTT_PORT: String(mqttPort) }, ['api', 'gateway'])
}, 300_000)
afterAll(() => portal?.stop(), 60_000)

/** A camera that shows a white picture, and a reader that finds the label of our machine in it. */
const aCamera = (code: string) => {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  setInterval(() => pen?.fillRect(0, 0, 10, 10), 100)
  Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: async () => canvas.captureStream(5) })
  Object.defineProperty(globalThis, 'BarcodeDetector', {
    value: class {
      detect = async () => [{ rawValue: code }]
    },
  })
}

test('on a phone, a user is led from a machine’s label to its page, with the chosen group and client', async () => {
  const serial = `GUIDE-${Date.now() % 100_000}`
  const { id: merchantId } = await aMerchant(portal.database)
  const pin = await createPins(portal.config.secretKey).givePin(portal.database, merchantId)
  const groupId = await aGroup(portal.database, merchantId, 'Milan')
  await aClient(portal.database, merchantId, { name: 'Ospedale Niguarda' })
  const technician = await aUserWithPassword(portal.database, 'groupAdmin', [{ merchantId, groups: [groupId] }])
  const page = await signedIn(portal, technician, '/devices/list', { viewport: sizes.phone })
  await page.addInitScript(aCamera, `${portal.url}/m/${serial}`)
  await page.reload()
  const faults = (name: string) => faultsSeen(page, `associate/${name}`, { fullPage: true })
  const next = page.getByRole('button', { name: 'Next', exact: true })

  await page.getByRole('main').getByRole('link', { name: 'Associate a machine' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Associate a machine' }).waitFor()
  expect(await faults('machine')).toEqual([])
  await page.getByRole('button', { name: 'Scan' }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Serial' }).inputValue()).toBe(serial)
  await next.click()

  // A user limited to groups must choose one: otherwise they could not see the machine.
  await page.getByRole('heading', { level: 2, name: 'Group and client' }).waitFor()
  await next.click()
  await page.getByText('Choose one of your groups').waitFor()
  await page.getByLabel('Name').fill('Main entrance')
  await page.getByLabel('Group', { exact: true }).selectOption({ label: 'Milan' })
  await page.getByRole('combobox', { name: 'Client' }).fill('Nigu')
  await page.getByRole('option', { name: 'Ospedale Niguarda' }).click()
  expect(await faults('place')).toEqual([])
  await next.click()

  await page.getByRole('button', { name: `Copy ${pin}` }).waitFor()
  await page.getByText(`Waiting for ${serial}`).waitFor()
  expect(await faults('pin')).toEqual([])

  // What the machine's firmware does: it associates, signs in and sells.
  const member = await associateMember(portal.url, { serial, deviceType: 'AZVT', pin })
  const report = await runLoad({
    members: [member],
    broker: `mqtt://127.0.0.1:${mqttPort}`,
    timeZone: 'Europe/Rome',
    rate: 5,
    seconds: 1,
    itemsPerMessage: 1,
    duplicated: 0,
    reordered: 0,
    patienceSeconds: 30,
  })
  expect(report).toMatchObject({ lost: 0 })

  await page.getByText('Main entrance is associated').waitFor()
  expect(await faults('done')).toEqual([])
  await page.getByRole('button', { name: 'Open machine' }).click()
  await page.getByRole('heading', { level: 1, name: /Main entrance/ }).waitFor()
  await page.goto(`${new URL(page.url()).pathname}/details`)
  for (const name of ['Milan', 'Ospedale Niguarda']) await page.getByRole('link', { name }).waitFor()
  // The refusal because no group is chosen.
  expect(page.complaints.filter((complaint) => !complaint.includes('409'))).toEqual([])
}, 180_000)
