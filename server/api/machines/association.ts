import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import { type associations, ExpectedMachine, mostExpectedMachines } from '#contract/machines/association.ts'
import { storeCode } from '#database/machines/association-attempt.ts'
import {
  type ExpectedRecord,
  forgetExpected,
  hasSerial,
  listExpected,
  mayReassociate,
  storeExpected,
} from '#database/machines/expected-association.ts'
import { oneTimeCode } from '#domain/machines/association-attempt.ts'
import { createPins, randomCode } from '#server/gateway/pins.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseAll } from '#server/http/refuse.ts'
import { seesAllGroups } from '#server/http/scope.ts'
import { wireOf } from '#server/http/wire.ts'

const present = (row: ExpectedRecord): ExpectedMachine => wireOf(ExpectedMachine, row)

/** Machines that users expect to associate. */
export const associationHandlers: Handlers<typeof associations> = {
  listExpectedMachines: async ({ db, query, now }) => (await listExpected(db, now, query.serial)).map(present),

  expectMachine: async ({ db, params, body, user, now }) => {
    const { merchantId, serial } = params
    refuseAll(merchantId)
    // Without a group, this user could not see the machine.
    if (!body.groupId && !seesAllGroups(user.scope, merchantId)) throw new ProductError('GroupRequired')
    if (await hasSerial(db, merchantId, serial)) throw new ProductError('MachineAlreadyAssociated')
    const by = { userId: user.id, now, most: mostExpectedMachines }
    const refusal = await storeExpected(db, merchantId, serial, body, by)
    if (refusal) throw new ProductError(refusal)
    const [row] = await listExpected(db, now, serial)
    return present(row as ExpectedRecord)
  },

  createAssociationCode: async ({ db, doors, config, params, now }) => {
    const { merchantId, serial } = params
    refuseAll(merchantId)
    const isExpected = (await listExpected(db, now, serial)).length > 0 || (await mayReassociate(db, serial, now))
    if (!isExpected) throw new ProductError('MachineNotExpected')
    const code = randomCode()
    const expiresAt = new Date(now.getTime() + oneTimeCode.minutes * 60_000)
    const digest = createPins(config.secretKey).digestOf(`code ${code}`)
    await storeCode(doors, { digest, merchantId, serial, expiresAt }, now)
    return { code, expiresAt: toWire(expiresAt) }
  },

  forgetExpectedMachine: async ({ db, params }) => {
    await forgetExpected(db, params.serial)
    return undefined
  },
}
