import {
  ScreenConfiguration,
  ScreenMachine,
  ScreenVersion,
  type screenConfigurations,
} from '#contract/configurations/screen-configuration.ts'
import { filesOfScreen, NewScreenConfiguration, productsOfScreen } from '#contract/configurations/screen-content.ts'
import { ProductError } from '#contract/errors.ts'
import { screenDocument } from '#contract/vocabulary/configuration.ts'
import { remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import { holdProducts } from '#database/catalogue/no-vend-profile.ts'
import {
  keepVersion,
  listScreenMachines,
  listVersions,
  machinesWithScreen,
  screenConfigurationList,
  versionOf,
} from '#database/configurations/screen-configuration.ts'
import { filesToUse } from '#database/configurations/screen-file.ts'
import { fieldsOf } from '#database/frame/records.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { syncOf } from '#domain/configurations/configuration.ts'
import { editable, refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { wireOf } from '#server/http/wire.ts'
import { chosenMachines } from '../machines/assign-many.ts'
import { documentOf } from './screen-document.ts'
import { sendScreen } from './send-screen.ts'

const subjectType = 'screenConfiguration'

export const screenRecord = editable({
  noun: 'screenConfiguration',
  rows: screenConfigurationList,
  fields: NewScreenConfiguration,
  present: (row) => wireOf(ScreenConfiguration, row),
  duplicates: { screen_configurations_by_name: ['ScreenConfigurationAlreadyExists', 'name'] },
  blockedBy: machinesWithScreen,
})

type Found = Awaited<ReturnType<typeof screenRecord.of>>
type Content = Pick<NewScreenConfiguration, 'idle' | 'pages'>

/** Refuses products and files that are not the merchant's; others stay until the configuration is saved. */
async function lockContent(db: TenantDb, merchantId: string, content: Content): Promise<void> {
  if (!(await holdProducts(db, merchantId, productsOfScreen(content)))) throw new ProductError('ProductNotFound')
  const fileIds = filesOfScreen(content)
  const files = await filesToUse(db, merchantId, fileIds)
  if (files.length < fileIds.length) throw new ProductError('ScreenFileNotFound')
  const kinds = new Map(files.map(({ id, kind }) => [id, kind]))
  const { idle, pages } = content
  const refuse = (path: string) => {
    throw new ProductError('ValidationFailed', { errors: [{ path, code: 'custom', message: '', rule: 'rule.choice' }] })
  }
  const idleKind = idle.kind === 'video' ? 'video' : 'picture'
  if (idle.kind !== 'none' && idle.fileIds.some((id) => kinds.get(id) !== idleKind)) refuse('idle.fileIds')
  for (const { buttons } of pages)
    for (const { picture, fileId } of buttons)
      if (picture === 'file' && fileId && kinds.get(fileId) !== 'picture') refuse('pages')
}

const contentOf = (row: Found) => fieldsOf<NewScreenConfiguration>(row, NewScreenConfiguration)

const keepNewest = async ({ db, user, now }: Pick<TenantCall, 'db' | 'user' | 'now'>, id: string) => {
  const screen = await screenRecord.of(db, id)
  await keepVersion(db, screen, screen.version, contentOf(screen), user, now)
}

const isApplied = (status: number | null) =>
  status === remoteCommandStatuses.received || status === remoteCommandStatuses.receivedWithWarnings

export const screenConfigurationHandlers: Handlers<typeof screenConfigurations> = {
  ...screenRecord.handlers,

  createScreenConfiguration: async (call) => {
    await lockContent(call.db, call.params.merchantId, call.body)
    const created = await screenRecord.create(call, call.params.merchantId, call.body)
    const db = withinScope(call.db, [{ merchantId: created.merchantId, groups: 'all' }])
    await keepNewest({ ...call, db }, created.id)
    return created
  },

  updateScreenConfiguration: async (narrow) => {
    const call = { ...narrow, db: withinScope(narrow.db, narrow.user.scope) }
    const id = call.params.screenConfigurationId
    const { merchant_id } = await screenRecord.of(call.db, id)
    await lockContent(call.db, merchant_id, call.body)
    await screenRecord.update(call, call.params.screenConfigurationId, call.body)
    await keepNewest(call, id)
    return screenRecord.get(call, call.params.screenConfigurationId)
  },

  listScreenVersions: async (call) => {
    const key = await screenRecord.of(call.db, call.params.screenConfigurationId)
    const rows = await withShownNames(call, await listVersions(call.db, key), 'saved_by', 'saved_by_name')
    return rows.map((row) => wireOf(ScreenVersion, row, { savedBy: row.saved_by_name }))
  },

  getScreenVersion: async ({ db, params }) => {
    const key = await screenRecord.of(db, params.screenConfigurationId)
    const content = await versionOf(db, key, Number(params.version))
    if (!content) throw new ProductError('ScreenConfigurationNotFound')
    return content
  },

  sendScreenConfiguration: async (narrow) => {
    const { body, params, user, now, live, config, blobs } = narrow
    const db = withinScope(narrow.db, user.scope)
    const key = await screenRecord.use(db, params.screenConfigurationId)
    const screen = await screenRecord.of(db, key.id)
    if (screen.version !== body.version)
      return refuseOvertaken({ db, user }, subjectType, key.id, wireOf(ScreenConfiguration, screen))
    const ids = await chosenMachines({ db }, body.machines)
    const content = contentOf(screen)
    await lockContent(db, key.merchant_id, content)
    const document = await documentOf({ db, blobs, now }, screen, content)
    const { sent, refused } = await sendScreen({ db, now, user, publicUrl: config.publicUrl }, screen, document, ids)
    if (sent.length > 0)
      await recordChange(db, {
        merchantId: key.merchant_id,
        at: now,
        user,
        action: 'screenConfiguration.send',
        subjectType,
        subjectId: key.id,
        after: { version: screen.version, machines: sent.slice(0, 50).map(({ name }) => name) },
      })
    db.afterCommit(() => {
      live.announce(key.merchant_id, 'screenConfiguration')
      for (const { id } of sent) {
        live.announce(key.merchant_id, 'command', id)
        live.announceToGateways(key.merchant_id, 'commandWaiting', id)
      }
    })
    return { sent: sent.length, refused }
  },

  listScreenMachines: async ({ db, params, query }) => {
    const key = await screenRecord.of(db, params.screenConfigurationId)
    const { rows, total, capped } = await listScreenMachines(db, key, query)
    const items = rows.map((row) => {
      const { sync, editedOn } = syncOf({
        desired: { [screenDocument]: row.document },
        version: row.version,
        sentVersion: row.version,
        appliedAt: isApplied(row.command_status) ? row.executed_at : null,
        reported: row.reported_at
          ? { parameters: row.reported === null ? {} : { [screenDocument]: row.reported }, at: row.reported_at }
          : null,
      })
      return wireOf(ScreenMachine, row, { sync, editedOn })
    })
    return { items, total, capped }
  },
}
