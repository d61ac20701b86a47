import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const digest = (data: string | Buffer) => createHash('sha256').update(data).digest()

interface Request {
  challenge: string
}

/** Flags of an authenticator's answer: the user is present, is verified, and a new credential is attached. */
const flags = { present: 0x01, verified: 0x04, attached: 0x40 }

/** An authenticator of WebAuthn with one passkey, as a browser speaks to it. */
export function anAuthenticator(userId: string, origin: string) {
  const host = new URL(origin).hostname
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0

  const counted = () => {
    counter += 1
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(counter)
    return bytes
  }
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const answer = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    /** The answer that registers the passkey. */
    make({ challenge }: Request): string {
      const { x, y } = publicKey.export({ format: 'jwk' })
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x as string, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y as string, 'base64url'))],
      ])
      const length = Buffer.from([0, id.length])
      const data = Buffer.concat([
        digest(host),
        Buffer.from([flags.present | flags.verified | flags.attached]),
        counted(),
        Buffer.alloc(16),
        length,
        id,
        isoCBOR.encode(key),
      ])
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(data)],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      )
      return JSON.stringify(
        answer({
          clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
          transports: ['internal'],
        }),
      )
    },

    /** The answer that proves the passkey. `from`: the page's origin. */
    prove(
      { challenge }: Request,
      { isVerified = true, from = origin, of = userId }: { isVerified?: boolean; from?: string; of?: string } = {},
    ): string {
      const data = Buffer.concat([
        digest(host),
        Buffer.from([flags.present | (isVerified ? flags.verified : 0)]),
        counted(),
      ])
      const client = clientData('webauthn.get', challenge, from)
      return JSON.stringify(
        answer({
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, digest(client)]), privateKey).toString('base64url'),
          userHandle: Buffer.from(of).toString('base64url'),
        }),
      )
    },
  }
}
