import { ProductError } from '#contract/errors.ts'
import type { FirstSteps, firstSteps } from '#contract/merchants/first-steps.ts'
import { setUpOf, usersSetUp, writeFirstSteps } from '#database/merchants/first-steps.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { firstStepsOf } from '#domain/merchants/first-steps.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { refuseAll } from '#server/http/refuse.ts'

async function stepsOf({ db, doors }: TenantCall, merchantId: string): Promise<FirstSteps> {
  const found = await setUpOf(db, merchantId)
  if (!found) throw new ProductError('MerchantNotFoundException')
  const { isClosed, ...own } = found
  const users = await usersSetUp(doors, merchantId)
  const hasAlarmMails = own.hasAlarmMails || users.hasAlarmMails
  return { steps: firstStepsOf({ ...own, people: users.people, hasAlarmMails }), isClosed }
}

/** What a new merchant sets up first. */
export const firstStepsHandlers: Handlers<typeof firstSteps> = {
  getFirstSteps: async (call) => {
    const { merchantId } = call.params
    refuseAll(merchantId)
    return stepsOf(call, merchantId)
  },

  updateFirstSteps: async (call) => {
    const { db, params, body, user, now, live } = call
    const { merchantId } = params
    refuseAll(merchantId)
    const before = await stepsOf(call, merchantId)
    if (before.isClosed === body.isClosed) return before
    await writeFirstSteps(db, merchantId, body.isClosed ? now : null)
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'merchantSettings.update',
      subjectType: 'merchantSettings',
      subjectId: merchantId,
      before: { areFirstStepsClosed: before.isClosed },
      after: { areFirstStepsClosed: body.isClosed },
    })
    db.afterCommit(() => live.announce(merchantId, 'merchant'))
    return { ...before, isClosed: body.isClosed }
  },
}
