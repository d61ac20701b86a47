import type pg from 'pg'

/** The deployment's secret, encrypted with one SECRET_KEY. */
export interface SealedSecret {
  /** Says with which SECRET_KEY, and nothing about it. */
  fingerprint: string
  sealed: string
}

type Owner = Pick<pg.ClientBase, 'query'>

/** Oldest first. Only the owner may read them. */
export async function sealedSecrets(owner: Owner): Promise<SealedSecret[]> {
  const { rows } = await owner.query<SealedSecret>(
    'select key_fingerprint as fingerprint, sealed from deployment_secrets order by created_at, key_fingerprint',
  )
  return rows
}

export async function addSealedSecret(owner: Owner, { fingerprint, sealed }: SealedSecret): Promise<void> {
  await owner.query(
    `insert into deployment_secrets (key_fingerprint, sealed) values ($1, $2)
     on conflict (key_fingerprint) do update set sealed = excluded.sealed`,
    [fingerprint, sealed],
  )
}

/** Removes the secret under all keys but one. Returns how many were removed. */
export async function dropOtherSecrets(owner: Owner, fingerprint: string): Promise<number> {
  const { rowCount } = await owner.query('delete from deployment_secrets where key_fingerprint <> $1', [fingerprint])
  return rowCount ?? 0
}

/**
 * A text that this deployment has encrypted, if there is one: only the right secret decrypts it. Deployments of the first version have no
 * row of their secret, which is their SECRET_KEY.
 */
export async function anySealedText(owner: Owner): Promise<string | undefined> {
  const { rows } = await owner.query<{ sealed: string }>(`
    select sealed from (
      select sealed from identity_keys
      union all select sealed_private_key from deployment_keys
      union all select pin_sealed from merchant_settings where pin_sealed <> ''
    ) sealed_texts limit 1`)
  return rows[0]?.sealed
}

/** How often the passwords of the two roles were replaced; 0 in a deployment that never did. */
export async function roleGeneration(owner: Owner): Promise<number> {
  const { rows } = await owner.query<{ generation: number }>(
    'select coalesce(max(generation), 0)::int as generation from role_password_generations',
  )
  return rows[0]?.generation ?? 0
}

/** Gives both roles the password of the next generation, in one transaction. Returns the generation. */
export async function replaceRolePassword(
  owner: pg.Client,
  passwordOf: (generation: number) => string,
): Promise<number> {
  await owner.query('begin')
  try {
    await owner.query('lock table role_password_generations in exclusive mode')
    const generation = (await roleGeneration(owner)) + 1
    await owner.query('insert into role_password_generations (generation) values ($1)', [generation])
    await setRolePassword(owner, passwordOf(generation))
    await owner.query('commit')
    return generation
  } catch (error) {
    await owner.query('rollback')
    throw error
  }
}

export async function setRolePassword(owner: pg.Client, password: string): Promise<void> {
  const quoted = owner.escapeLiteral(password)
  await owner.query(`alter role gettone_app password ${quoted}; alter role gettone_system password ${quoted}`)
}
