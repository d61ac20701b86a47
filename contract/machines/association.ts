import { z } from 'zod'
import { Serial } from '../device-protocol.ts'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Instant, LineText } from '../frame/shapes.ts'
import { OneTimeCode } from '../rules/text.ts'

/** An expected machine, with the values that it gets when it associates. Null name: the machine's own, or its serial. */
const fields = {
  name: LineText.trim().min(1).max(120).nullable(),
  groupId: ids.groupId.nullable(),
  clientId: ids.clientId.nullable(),
}

export const ExpectedMachine = z.strictObject({
  merchantId: z.uuid(),
  serial: z.string(),
  ...fields,
  groupName: z.string().nullable(),
  clientName: z.string().nullable(),
  createdAt: Instant,
  expiresAt: Instant,
})
export type ExpectedMachine = z.infer<typeof ExpectedMachine>

/** A code with which one machine joins once, whatever PINs were entered before. It is shown when it is created, and never again. */
export const AssociationCode = z.strictObject({ code: OneTimeCode, expiresAt: Instant })
export type AssociationCode = z.infer<typeof AssociationCode>

/** Maximum expected machines of a merchant. */
export const mostExpectedMachines = 200

const path = '/merchants/{merchantId}/association/expected' as const
const params = { serial: Serial }

export const associations = {
  listExpectedMachines: endpoint({
    method: 'GET',
    path,
    summary: 'List machines expected to associate, newest first, up to 500; one of them by its serial',
    needs: 'machine.associate',
    query: z.strictObject({ serial: Serial.optional() }),
    ok: z.array(ExpectedMachine),
  }),
  expectMachine: endpoint({
    method: 'PUT',
    path: `${path}/{serial}`,
    params,
    summary: 'Set the group and client of an expected machine; valid for seven days',
    needs: 'machine.associate',
    body: z.strictObject(fields),
    ok: ExpectedMachine,
    fails: [
      'MerchantNotFoundException',
      'GroupNotFound',
      'ClientNotFound',
      'GroupRequired',
      'MachineAlreadyAssociated',
      'MachineExpectedElsewhere',
      'TooManyExpectedMachines',
    ],
  }),
  createAssociationCode: endpoint({
    method: 'POST',
    path: `${path}/{serial}/code`,
    params,
    summary: 'Create a one-time code for a machine that is expected or may re-associate, in place of its earlier code',
    needs: 'machine.associate',
    hasSecret: true,
    ok: AssociationCode,
    fails: ['MerchantNotFoundException', 'MachineNotExpected'],
  }),
  forgetExpectedMachine: endpoint({
    method: 'DELETE',
    path: `${path}/{serial}`,
    params,
    summary: 'Remove an expected machine',
    needs: 'machine.associate',
  }),
}
