import { ProductError } from '#contract/errors.ts'
import { limits } from '#contract/frame/limits.ts'
import type { EditedSettings, MerchantSettings, merchantSettings } from '#contract/merchants/merchant-settings.ts'
import { countAttempt } from '#database/machines/association-attempt.ts'
import {
  findSettings,
  type StoredSettings,
  settingsToEdit,
  writeSettings,
} from '#database/merchants/merchant-settings.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { isSimplePin } from '#domain/machines/pin.ts'
import { createPins, type Pins, randomPin } from '#server/gateway/pins.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import { keepingOmitted } from '#server/http/features.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { refuseAll } from '#server/http/refuse.ts'

const subjectType = 'merchantSettings'
const stretchMs = limits.typedPin.seconds * 1_000
/** Attempts to find a free random PIN. Of a hundred million, the first is nearly always free. */
const tries = 5

const present = ({ pinSealed, ...settings }: StoredSettings, pins: Pins): MerchantSettings => ({
  ...settings,
  pin: pins.open(pinSealed),
})

/** For the log: only that the PIN changed, never its value. */
const logged = ({ pinSealed: _, version: __, ...settings }: StoredSettings) => settings

type Call = Pick<TenantCall, 'db' | 'doors' | 'config' | 'user' | 'now' | 'live'>

async function heldOf({ db, user }: Call, pins: Pins, merchantId: string, version: number): Promise<StoredSettings> {
  refuseAll(merchantId)
  const before = await settingsToEdit(db, merchantId)
  if (!before) throw new ProductError('MerchantNotFoundException')
  if (version === before.version) return before
  return refuseOvertaken({ db, user }, subjectType, merchantId, present(before, pins))
}

/**
 * Maps a typed PIN to the merchant. Throws PinNotAvailable alike for taken and too simple PINs, and TooManyRequests
 * beyond the limit whatever the previous results were.
 */
async function claim({ doors, user, now }: Call, pins: Pins, merchantId: string, pin: string): Promise<void> {
  const since = new Date(Math.floor(now.getTime() / stretchMs) * stretchMs)
  const keys = [`PIN typed for merchant ${merchantId}`, `PIN typed by ${user.id}`]
  const typed = await countAttempt(doors, keys, since)
  if (Math.max(...typed) > limits.typedPin.most) throw new ProductError('TooManyRequests')
  if (isSimplePin(pin) || !(await pins.claim(doors, merchantId, pin))) throw new ProductError('PinNotAvailable')
}

/** Claims the PIN last, in a separate transaction. Without the claim, nothing is stored. */
async function store(call: Call, pins: Pins, merchantId: string, before: StoredSettings, edits: EditedSettings) {
  const { pin, ...settings } = edits
  const isPinNew = pin !== undefined && pin !== pins.open(before.pinSealed)
  const after: StoredSettings = {
    ...keepingOmitted(before, settings),
    pinSealed: isPinNew ? pins.seal(pin) : before.pinSealed,
    version: before.version + 1,
  }
  await writeSettings(call.db, merchantId, after)
  await recordChange(call.db, {
    merchantId,
    at: call.now,
    user: call.user,
    action: 'merchantSettings.update',
    subjectType,
    subjectId: merchantId,
    before: logged(before),
    after: { ...logged(after), ...(isPinNew && { isPinChanged: true }) },
  })
  if (isPinNew) await claim(call, pins, merchantId, pin)
  call.db.afterCommit(() => call.live.announce(merchantId, 'merchant'))
  return present(after, pins)
}

export const merchantSettingsHandlers: Handlers<typeof merchantSettings> = {
  getMerchantSettings: async ({ db, params, config }) => {
    refuseAll(params.merchantId)
    const settings = await findSettings(db, params.merchantId)
    if (!settings) throw new ProductError('MerchantNotFoundException')
    return present(settings, createPins(config.secretKey))
  },

  updateMerchantSettings: async (call) => {
    const { version, ...edits } = call.body
    const pins = createPins(call.config.secretKey)
    const before = await heldOf(call, pins, call.params.merchantId, version)
    return store(call, pins, call.params.merchantId, before, edits)
  },

  regeneratePin: async (call) => {
    const { merchantId } = call.params
    const pins = createPins(call.config.secretKey)
    const before = await heldOf(call, pins, merchantId, call.body.version)
    const pin = await freePin(call, pins, merchantId)
    const after = { ...before, pinSealed: pins.seal(pin), version: before.version + 1 }
    await writeSettings(call.db, merchantId, after)
    const subject = { subjectType, subjectId: merchantId, before: {}, after: { isPinChanged: true } }
    await recordChange(call.db, {
      merchantId,
      at: call.now,
      user: call.user,
      action: 'merchantSettings.update',
      ...subject,
    })
    call.db.afterCommit(() => call.live.announce(merchantId, 'merchant'))
    return present(after, pins)
  },
}

async function freePin({ doors }: Call, pins: Pins, merchantId: string): Promise<string> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const pin = randomPin()
    if (await pins.claim(doors, merchantId, pin)) return pin
  }
  throw new ProductError('PinNotAvailable')
}
