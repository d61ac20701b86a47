import type { CopyFault, ScreenStorage, screenStorage } from '#contract/configurations/screen-storage.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import { limits } from '#contract/frame/limits.ts'
import { type CopyState, copyStateOf } from '#database/configurations/screen-copy.ts'
import {
  removeScreenStorage,
  type StoredStorage,
  screenStorageOf,
  writeScreenStorage,
} from '#database/configurations/screen-storage.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { countAttempt } from '#database/machines/association-attempt.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseAll } from '#server/http/refuse.ts'
import { tryStorage } from './try-storage.ts'

const subjectType = 'screenStorage'
const stretchMs = limits.storageTry.seconds * 1_000

const presentState = (merchantId: string, stored: StoredStorage | undefined, copies: CopyState): ScreenStorage => ({
  merchantId,
  username: stored?.username ?? '',
  url: stored?.url ?? '',
  hasPassword: stored !== undefined,
  protocol: stored?.protocol ?? null,
  testedAt: stored ? toWire(stored.testedAt) : null,
  version: stored?.version ?? 0,
  copies: {
    copied: copies.copied,
    waiting: copies.waiting,
    fault: copies.fault as CopyFault | null,
    failedAt: toWireOrNull(copies.failedAt),
  },
})

const present = async (db: TenantDb, merchantId: string, stored: StoredStorage | undefined) =>
  presentState(merchantId, stored, await copyStateOf(db, merchantId))

/** For the log: never the password. */
const logged = ({ username, url, protocol }: StoredStorage) => ({ username, url, protocol })

const passwordMissing = () =>
  new ProductError('ValidationFailed', {
    errors: [{ path: 'password', code: 'custom', message: '', rule: 'rule.required' }],
  })

/** The storage of a merchant's screen content. Only a storage that accepts the password is saved. */
export const screenStorageHandlers: Handlers<typeof screenStorage> = {
  getScreenStorage: async ({ db, params }) => {
    refuseAll(params.merchantId)
    return present(db, params.merchantId, await screenStorageOf(db, params.merchantId))
  },

  updateScreenStorage: async ({ db, doors, params, body, user, now, live, vault, config }) => {
    const { merchantId } = params
    refuseAll(merchantId)
    const checked = await screenStorageOf(db, merchantId)
    const overtaken = async (stored: StoredStorage | undefined) =>
      refuseOvertaken({ db, user }, subjectType, merchantId, await present(db, merchantId, stored))
    if ((checked?.version ?? 0) !== body.version) return overtaken(checked)
    // A stored password is only sent where its user entered it.
    const isSame = checked?.url === body.url && checked.username === body.username
    const password = body.password ?? (isSame && checked ? vault.open(checked.passwordSealed) : undefined)
    if (password === undefined) throw passwordMissing()
    const since = new Date(Math.floor(now.getTime() / stretchMs) * stretchMs)
    const [tries = 0] = await countAttempt(doors, [`storage tried for merchant ${merchantId}`], since)
    if (tries > limits.storageTry.most) throw new ProductError('TooManyRequests')
    const tried = await tryStorage(
      { url: body.url, username: body.username, password },
      { isPublicOnly: config.production },
    )
    if ('fault' in tried) throw new ProductError(tried.fault)
    const before = await screenStorageOf(db, merchantId, 'hold')
    if ((before?.version ?? 0) !== body.version) return overtaken(before)
    const after: StoredStorage = {
      username: body.username,
      url: body.url,
      passwordSealed: body.password === undefined && before ? before.passwordSealed : vault.seal(password),
      protocol: tried.protocol,
      testedAt: now,
      version: body.version + 1,
    }
    await writeScreenStorage(db, merchantId, after)
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'screenStorage.update',
      subjectType,
      subjectId: merchantId,
      ...(before && { before: logged(before) }),
      after: { ...logged(after), ...(body.password !== undefined && { isPasswordChanged: true }) },
    })
    db.afterCommit(() => live.announce(merchantId, 'screenConfiguration'))
    return present(db, merchantId, after)
  },

  deleteScreenStorage: async ({ db, params, user, now, live }) => {
    const { merchantId } = params
    refuseAll(merchantId)
    const before = await screenStorageOf(db, merchantId, 'hold')
    if (!before || !(await removeScreenStorage(db, merchantId))) return
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'screenStorage.delete',
      subjectType,
      subjectId: merchantId,
      before: logged(before),
    })
    db.afterCommit(() => live.announce(merchantId, 'screenConfiguration'))
  },
}
