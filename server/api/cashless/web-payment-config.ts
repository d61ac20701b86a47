import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type {
  EditedWebPaymentConfig,
  WebPaymentChoice,
  WebPaymentConfig,
  webPaymentConfigs,
} from '#contract/cashless/web-payment-config.ts'
import { ProductError } from '#contract/errors.ts'
import { toWireOrNull } from '#contract/frame/instant.ts'
import { credentialFieldsOf } from '#contract/vocabulary/web-payment.ts'
import {
  type ConfigRecord,
  configOfService,
  configToEdit,
  insertConfig,
  paymentConfigs,
  writeConfig,
} from '#database/cashless/web-payment-config.ts'
import { paymentService, paymentServices, type ServiceRecord } from '#database/cashless/web-payment-service.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { refuseAll } from '#server/http/refuse.ts'
import { callbackUrlOf, openSecrets, readyAccount, sealSecrets } from '#server/payments/account.ts'
import { ProviderError } from '#server/payments/http.ts'
import { limitCalls } from '#server/payments/limit-calls.ts'

type Call = Pick<TenantCall, 'db' | 'user' | 'config'>

/** Never a secret: only which ones are set, and when. */
async function present(call: Call, service: ServiceRecord, row: ConfigRecord | undefined): Promise<WebPaymentConfig> {
  const [named] = row ? await withShownNames(call, [row], 'set_by', 'set_by_name') : []
  return {
    serviceId: service.id,
    serviceName: service.name,
    serviceDescription: service.description,
    serviceType: service.type,
    version: row?.version ?? 0,
    isActive: row?.is_active ?? false,
    credentials: row?.credentials ?? {},
    secrets: row?.secrets ?? [],
    setAt: toWireOrNull(row?.set_at ?? null),
    setBy: named?.set_by_name ?? null,
    callbackUrl: row ? callbackUrlOf(call.config, row.merchant_id, row.id) : null,
  }
}

async function serviceOf({ doors }: Pick<TenantCall, 'doors'>, id: string): Promise<ServiceRecord> {
  const service = await paymentService(doors, id)
  if (!service) throw new ProductError('WebPaymentServiceNotFound')
  return service
}

const fault = (path: string, rule: 'required' | 'choice') =>
  new ProductError('ValidationFailed', {
    errors: [{ path, code: 'custom', message: `rule.${rule}`, rule: `rule.${rule}` }],
  })

/** Refuses credentials that the type does not have, and an active account without all of its own. */
function refuseIncomplete(
  type: number,
  { credentials, secrets, isActive }: EditedWebPaymentConfig,
  set: readonly string[],
) {
  const fields = credentialFieldsOf(type)
  const names = (isSecret: boolean) =>
    fields.filter((one) => Boolean(one.isSecret) === isSecret).map(({ name }) => name)
  for (const name of Object.keys(credentials))
    if (!names(false).includes(name)) throw fault(`credentials.${name}`, 'choice')
  for (const name of Object.keys(secrets)) if (!names(true).includes(name)) throw fault(`secrets.${name}`, 'choice')
  if (!isActive) return
  for (const name of names(false)) if (!credentials[name]) throw fault(`credentials.${name}`, 'required')
  for (const name of names(true)) if (!secrets[name] && !set.includes(name)) throw fault(`secrets.${name}`, 'required')
}

const isStored = ({ is_active, credentials }: ConfigRecord, edits: EditedWebPaymentConfig) =>
  is_active === edits.isActive &&
  Object.keys(edits.secrets).length === 0 &&
  isDeepStrictEqual(credentials, edits.credentials)

/** For the log: which secrets changed, never their values. */
const logged = ({ is_active, credentials, secrets }: ConfigRecord) => ({ isActive: is_active, credentials, secrets })

/** The services with which a merchant's payers can pay. */
export async function paymentChoices(
  { db, doors }: Pick<TenantCall, 'db' | 'doors'>,
  merchantId: string,
): Promise<WebPaymentChoice[]> {
  const rows = await paymentConfigs(db, merchantId)
  const isOffered = ({ id }: ServiceRecord) => rows.some((row) => row.service_id === id && row.is_active)
  return (await paymentServices(doors))
    .filter(isOffered)
    .map(({ id, name, type }) => ({ serviceId: id, serviceName: name, serviceType: type }))
}

export const webPaymentConfigHandlers: Handlers<typeof webPaymentConfigs> = {
  listWebPaymentConfigs: async (call) => {
    const { db, doors, params } = call
    refuseAll(params.merchantId)
    const services = await paymentServices(doors)
    const rows = await paymentConfigs(db, params.merchantId)
    const rowOf = (id: string) => rows.find(({ service_id }) => service_id === id)
    const presented: Awaited<ReturnType<typeof present>>[] = []
    for (const service of services) presented.push(await present(call, service, rowOf(service.id)))
    return presented
  },

  listWebPaymentChoices: async (call) => {
    refuseAll(call.params.merchantId)
    return paymentChoices(call, call.params.merchantId)
  },

  updateWebPaymentConfig: async (call) => {
    const { db, params, body, user, now, vault, live } = call
    const { merchantId } = params
    refuseAll(merchantId)
    const service = await serviceOf(call, params.serviceId)
    const before = await configToEdit(db, merchantId, service.id)
    const overtaken = async (): Promise<never> => {
      const current = await present(call, service, await configOfService(db, merchantId, service.id))
      return refuseOvertaken(call, 'webPaymentConfig', service.id, current)
    }
    // A repeated save.
    if (before && isStored(before, body)) return present(call, service, before)
    if ((before?.version ?? 0) !== body.version) return overtaken()
    refuseIncomplete(service.type, body, before?.secrets ?? [])
    const secrets = { ...(before ? openSecrets(vault, before) : {}), ...body.secrets }
    const row: ConfigRecord = {
      merchant_id: merchantId,
      id: before?.id ?? randomUUIDv7(),
      service_id: service.id,
      is_active: body.isActive,
      credentials: body.credentials,
      secrets: Object.keys(secrets),
      sealed: sealSecrets(vault, secrets),
      set_at: now,
      set_by: user.id,
      set_by_name: user.name,
      version: body.version + 1,
    }
    if (before) await writeConfig(db, row)
    else if (!(await insertConfig(db, row))) return overtaken()
    const changedSecrets = Object.keys(body.secrets)
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'webPaymentConfig.update',
      subjectType: 'webPaymentConfig',
      subjectId: service.id,
      ...(before && { before: { service: service.name, ...logged(before) } }),
      after: { service: service.name, ...logged(row), ...(changedSecrets.length > 0 && { changedSecrets }) },
    })
    db.afterCommit(() => live.announce(merchantId, 'merchant'))
    return present(call, service, row)
  },

  tryWebPaymentConfig: async (call) => {
    const { db, doors, params, now } = call
    refuseAll(params.merchantId)
    const service = await serviceOf(call, params.serviceId)
    const row = await configOfService(db, params.merchantId, service.id)
    const ready = row && (await readyAccount(call, row))
    if (!ready) throw new ProductError('WebPaymentNotConfigured')
    await limitCalls(doors, 'webPaymentTrial', params.merchantId, now)
    try {
      await ready.adapter.test(ready.account)
      return { works: true, problem: null }
    } catch (error) {
      if (error instanceof ProviderError) return { works: false, problem: error.kind }
      throw error
    }
  },
}
