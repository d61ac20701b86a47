// npm run rotate: replaces a secret of the deployment while Gettone runs: the SECRET_KEY, the passwords of the database's two roles, the keys of the
// embedded identity provider, or a key that signs updates or licences.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { replaceRolePassword } from '#database/deployment/secret.ts'
import { openDoors } from '#database/frame/tenant.ts'
import { weaknessOf } from '#domain/frame/secret-strength.ts'
import { type Config, ConfigError, readConfig } from '#server/config.ts'
import { dropFormerIdentityKeys, replaceIdentityKeys } from '#server/identity/keys.ts'
import { endLicenceKey } from '#server/licences/sign-licence.ts'
import { runningEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { asOwner, openRunning, openStorage } from '#server/postgres/storage.ts'
import { addMasterKey, deploymentSecret, keepMasterKeyOnly, rolePasswordOf } from '#server/secrets/deployment-secret.ts'
import { createVault } from '#server/secrets/vault.ts'
import { dropFormerUpdateKeys, replaceUpdateKey } from '#server/updates/signing-key.ts'

const usage = 'Usage: npm run rotate -- secret-key|roles|sign-in|updates [--finish [--force]] | licences --force'
const dataDir = process.env.DATA_DIR ?? '.data'
const keyFile = join(dataDir, 'secret-key')

interface Place {
  config: Config
  adminUrl: string
}

const works: Record<string, (place: Place, owner: pg.Client, isForced: boolean) => Promise<string[]>> = {
  async 'secret-key'({ config }, owner) {
    const { NEW_SECRET_KEY, SECRET_KEY } = process.env
    if (NEW_SECRET_KEY === undefined && SECRET_KEY !== undefined)
      throw new ConfigError(['Set NEW_SECRET_KEY to the next key: openssl rand -base64 48'])
    const nextKey = NEW_SECRET_KEY ?? randomBytes(32).toString('base64url')
    if (weaknessOf(nextKey)) throw new ConfigError(['NEW_SECRET_KEY is too easy to guess: openssl rand -base64 48'])
    await addMasterKey(owner, config.masterKey, nextKey)
    if (SECRET_KEY === undefined) {
      writeFileSync(`${keyFile}.new`, nextKey, { mode: 0o600 })
      renameSync(`${keyFile}.new`, keyFile)
    }
    return [
      'Both keys open this database.',
      `Restart one process after another ${SECRET_KEY === undefined ? '' : 'with the new SECRET_KEY '}and end with: npm run rotate -- secret-key --finish`,
    ]
  },
  async 'secret-key --finish'({ config }, owner) {
    const dropped = await keepMasterKeyOnly(owner, config.masterKey)
    return [
      dropped === 0 ? 'No other SECRET_KEY opens this database.' : 'The former SECRET_KEY opens this database no more.',
      'Keep it for the backups that were written with it.',
    ]
  },
  async roles({ config }, owner) {
    const secret = await deploymentSecret(owner, config.masterKey)
    await replaceRolePassword(owner, (generation) => rolePasswordOf(secret, generation))
    return [
      'The roles gettone_app and gettone_system have new passwords; running processes read them when they connect.',
    ]
  },
  async 'sign-in'({ config, adminUrl }, owner) {
    const vault = createVault(await deploymentSecret(owner, config.masterKey))
    await withDoors({ config, adminUrl }, (doors) => replaceIdentityKeys(doors, vault, new Date()))
    return [
      'The identity provider has new keys, and accepts the former ones.',
      'Restart one API process after another; end the former keys after a day with: npm run rotate -- sign-in --finish',
    ]
  },
  async updates({ config, adminUrl }, owner) {
    const vault = createVault(await deploymentSecret(owner, config.masterKey))
    const machines = await withDoors({ config, adminUrl }, (doors) => replaceUpdateKey(doors, vault, new Date()))
    return [
      `Updates have a new key. ${machines} machines have a former one and get updates that are signed with it, until they fetch the key again.`,
      'A machine fetches it after each association. End the former keys with: npm run rotate -- updates --finish',
    ]
  },
  async 'updates --finish'({ config, adminUrl }, owner, isForced) {
    const vault = createVault(await deploymentSecret(owner, config.masterKey))
    const { dropped, machines } = await withDoors({ config, adminUrl }, (doors) =>
      dropFormerUpdateKeys(doors, vault, owner, isForced),
    )
    if (machines > 0 && !isForced)
      throw new ConfigError([
        `${machines} machines have a former key. Associate them again, or end it at once with --force: they refuse updates until they fetch the new one.`,
      ])
    return [`${dropped} former keys were dropped.`, ...(machines > 0 ? [`${machines} machines need the new one.`] : [])]
  },
  async licences(_, owner, isForced) {
    if (!isForced)
      throw new ConfigError([
        'Each connector has one public key and refuses licences of another: within 14 days all stop until they have the new one. Where the key is in foreign hands, end it with --force.',
      ])
    const isEnded = await endLicenceKey(owner)
    return [
      isEnded
        ? 'The key that signed licences was dropped; the next licence has a new one.'
        : 'No licence was signed yet.',
      'Install the new public key with each connector: /api/v1/license/keys',
    ]
  },
  async 'sign-in --finish'(place) {
    const dropped = await withDoors(place, dropFormerIdentityKeys)
    return [`${dropped} former keys were dropped; within a minute no process accepts them.`]
  },
}

async function withDoors<T>({ config, adminUrl }: Place, work: (doors: ReturnType<typeof openDoors>) => Promise<T>) {
  const pools = await openRunning(adminUrl, config)
  try {
    return await work(openDoors(pools))
  } finally {
    await pools.end()
  }
}

try {
  const { values, positionals } = parseArgs({
    options: { finish: { type: 'boolean', default: false }, force: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const work = positionals.length === 1 && works[`${positionals[0]}${values.finish ? ' --finish' : ''}`]
  if (!work) throw new ConfigError([usage])
  const { SECRET_KEY = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : undefined } = process.env
  if (SECRET_KEY === undefined) throw new ConfigError(['Set the SECRET_KEY of the running Gettone.'])
  const config = readConfig({ DATA_DIR: dataDir, SECRET_KEY }, { production: false })
  const inUse = process.env.DATABASE_URL ?? runningEmbeddedPostgres(join(resolve(dataDir), 'postgres'))
  const storage = inUse ? undefined : await openStorage(config, () => {})
  const adminUrl = inUse ?? (storage?.adminUrl as string)
  try {
    for (const line of await asOwner(adminUrl, (owner) => work({ config, adminUrl }, owner, values.force)))
      console.log(line)
  } finally {
    await storage?.stop()
  }
} catch (error) {
  console.log(error instanceof ConfigError ? error.message : String(error))
  process.exitCode = 1
}
