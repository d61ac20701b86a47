import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Instant, InstantInput, LineText, Text } from '../frame/shapes.ts'

/** What the connector application knows of its computer and its machine. */
export const ConnectorCall = z.strictObject({
  licenceKey: Text.trim().min(1).max(80),
  machine: z.strictObject({
    /** The serial of the machine, as in the portal. */
    serial: LineText.trim().min(1).max(60),
    /** The serial of the computer's board. */
    boardSerial: LineText.trim().min(1).max(100),
    connectorVersion: LineText.trim().min(1).max(40),
  }),
  /** By the connector's own clock. It decides nothing. */
  connectorTime: InstantInput,
})
export type ConnectorCall = z.output<typeof ConnectorCall>

export const LicenceGrant = z.strictObject({
  /** A JWS in compact form, signed with Ed25519: docs/licence-protocol.md lists its claims. */
  licence: z.string(),
  serverTime: Instant,
  /** Without another heartbeat the licence is valid until then, also offline. */
  validUntil: Instant,
  /** When the next heartbeat is due. */
  nextBeatAt: Instant,
  /** By how much the connector's clock is ahead of the server's. */
  clockDriftSeconds: z.int(),
  /** Whether the drift is so large that the connector must correct its clock for the checks of the licence. */
  isClockWrong: z.boolean(),
})
export type LicenceGrant = z.infer<typeof LicenceGrant>

const LicencePublicKey = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
})

const call = { method: 'POST', needs: 'anyone', limit: 'licenceCall', body: ConnectorCall, ok: LicenceGrant } as const
const fails = [
  'LicenseDoesNotExistException',
  'LicenseNotAssignedYetException',
  'LicenseDeactivatedException',
  'LicenseExpiredException',
  'LicenceOfOtherMachine',
] as const

/** Calls of the connector application. */
export const connectorRows = {
  activateLicence: endpoint({
    ...call,
    path: '/license/activate',
    summary: 'Activate a licence on a machine; the same machine may repeat it',
    fails,
  }),
  beatLicence: endpoint({
    ...call,
    path: '/license/heartbeat',
    summary: 'Renew an activated licence',
    fails,
  }),
  getLicenceKeys: endpoint({
    method: 'GET',
    path: '/license/keys',
    summary: 'Get the public key that verifies licences, as a JWK set',
    needs: 'anyone',
    ok: z.strictObject({ keys: z.array(LicencePublicKey) }),
  }),
}
