import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface Vault {
  /** Encrypts a text for storage. Two results for the same text differ. */
  seal(text: string): string
  /** Decrypts a text. Throws when it was altered or encrypted with another key. */
  open(sealed: string): string
}

const version = 'v1'

/**
 * Encrypts small secrets in the database with the deployment's secret: AES-256-GCM with a fresh 96-bit nonce each time
 * (NIST SP 800-38D). The key is derived from the secret and its purpose with HKDF. An encrypted text is `v1.nonce.tag.ciphertext`.
 */
export function createVault(secretKey: string, purpose = 'vault'): Vault {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'gettone', purpose, 32))
  return {
    seal(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return [version, ...[nonce, cipher.getAuthTag(), hidden].map((part) => part.toString('base64url'))].join('.')
    },
    open(sealed) {
      const [sealedVersion, nonce, tag, hidden] = sealed.split('.')
      if (sealedVersion !== version || !nonce || !tag || hidden === undefined) throw new Error('Not a sealed text')
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(hidden, 'base64url')), decipher.final()]).toString('utf8')
    },
  }
}
