import type { licences } from '#contract/licences/licence.ts'
import type { licenceActRows } from '#contract/licences/licence-acts.ts'
import type { AnyInput } from '../api.ts'
import { licenceFields } from '../nouns/licences.ts'
import type { Aim } from './aim.ts'
import type { RecordCall } from './record-samples.ts'

const ofLicence = ({ merchantId, licenceId }: Aim) => ({ params: { merchantId, licenceId } })
const ofConnector = () => ({
  body: {
    licenceKey: 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE',
    machine: { serial: 'T1', boardSerial: 'B1', connectorVersion: '1.0' },
    connectorTime: new Date().toISOString(),
  },
})
const ofLink = () => ({ params: { token: 'x'.repeat(43) } })

type Rows = Omit<typeof licences & typeof licenceActRows, RecordCall>

const ofUsers: Record<keyof Rows, { input: (aim: Aim) => AnyInput }> = {
  createLicences: {
    input: ({ merchantId, posId }) => ({ params: { merchantId }, body: { ...licenceFields, posIds: [posId] } }),
  },
  listLicenceEvents: { input: ofLicence },
  sendLicence: { input: ofLicence },
  issueLicenceKey: { input: ofLicence },
  moveLicence: { input: (aim) => ({ ...ofLicence(aim), body: { posId: aim.posId } }) },
  unassignLicence: { input: (aim) => ({ ...ofLicence(aim), body: { unassignCase: 'defectivePos' } }) },
  deactivateLicence: { input: ofLicence },
  reactivateLicence: { input: ofLicence },
}

/** Sample calls of licences; `record-samples.ts` has the common ones. */
export const licenceSamples = {
  ...ofUsers,
  getClientData: { input: ofLink },
  confirmClientData: { input: ofLink },
  activateLicence: { input: ofConnector },
  beatLicence: { input: ofConnector },
  getLicenceKeys: { input: (): AnyInput => ({}) },
}

/** The status from which each act is possible. */
export const statusFor: Readonly<Record<string, number>> = {
  sendLicence: 0,
  issueLicenceKey: 2,
  moveLicence: 2,
  unassignLicence: 3,
  deactivateLicence: 3,
  reactivateLicence: 4,
  deleteLicence: 0,
  updateLicence: 0,
}
