import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Instant, Text } from '../frame/shapes.ts'
import { Licence } from './licence.ts'

/** The data that the end client confirms. */
export const ClientData = Licence.pick({
  merchantName: true,
  timeZone: true,
  name: true,
  organization: true,
  establishmentName: true,
  contactName: true,
  clientEmail: true,
  language: true,
  type: true,
  features: true,
  operationMode: true,
  maintenanceType: true,
  installedOn: true,
  expiresOn: true,
  posName: true,
  posSerial: true,
  deviceType: true,
}).extend({
  address: z.string().nullable(),
  /** When the link ends. */
  linkExpiresAt: Instant,
})
export type ClientData = z.infer<typeof ClientData>

const link = {
  path: '/license/confirm-license/{token}',
  needs: 'anyone',
  limit: 'licenceLink',
  params: { token: Text.max(200) },
  fails: ['TokenNotFoundException'],
} as const

/** The public page that a mail leads to. The token is the secret of the link. */
export const clientData = {
  getClientData: endpoint({ ...link, method: 'GET', summary: 'Get the data to confirm', ok: ClientData }),
  confirmClientData: endpoint({
    ...link,
    method: 'POST',
    summary: 'Confirm the data. The answer has the licence key, which is shown this once; the link ends',
    hasSecret: true,
    ok: z.strictObject({ name: z.string(), licenceKey: z.string() }),
  }),
}
