/** Reasons why the embedded PostgreSQL cannot start. The error's message is one sentence for the user at the terminal. */
export type EmbeddedPostgresFault =
  | 'in-use'
  | 'port-in-use'
  | 'disk-full'
  | 'damaged'
  | 'wrong-owner'
  | 'version-mismatch'
  | 'unsupported-system'

export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresFault
  constructor(code: EmbeddedPostgresFault, message: string) {
    super(message)
    this.name = 'EmbeddedPostgresError'
    this.code = code
  }
}

export const diskFull = (place: string) =>
  new EmbeddedPostgresError('disk-full', `The disk of ${place} is full: free some space and start again.`)

export const wrongOwner = (place: string) =>
  new EmbeddedPostgresError(
    'wrong-owner',
    `${place} belongs to another user: start Gettone as that user, or choose another folder with DATA_DIR.`,
  )

export const damaged = (cluster: string, reason: string) =>
  new EmbeddedPostgresError(
    'damaged',
    `The database in ${cluster} cannot be opened (${reason}): restore a backup, or reset it with "npm run reset".`,
  )

/** Translates PostgreSQL's last messages (always in English, by LC_ALL) for the user who started it. */
export function explain(cluster: string, output: string[]): EmbeddedPostgresError {
  const words = output.join('\n')
  if (/No space left on device/.test(words)) return diskFull(cluster)
  if (/wrong ownership|Permission denied/.test(words)) return wrongOwner(cluster)
  if (/could not look up effective user/.test(words)) {
    return new EmbeddedPostgresError(
      'unsupported-system',
      `PostgreSQL needs a user with a name, and user ${process.getuid?.()} has none: add it to /etc/passwd, or set DATABASE_URL to your own PostgreSQL.`,
    )
  }
  const reason =
    /(?:FATAL|PANIC|error): +(.*)/.exec(words)?.[1] ?? output.findLast((line) => line.trim()) ?? 'no reason was given'
  return damaged(cluster, reason.trim())
}

/** Translates a refusal of the file system in the same way; returns any other error unchanged. */
export function explainFileError(error: unknown, place: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(place)
  if (code === 'EACCES' || code === 'EPERM') return wrongOwner(place)
  if (code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST') {
    return new EmbeddedPostgresError(
      'damaged',
      `${place} cannot be used as a data folder: choose another with DATA_DIR.`,
    )
  }
  return error
}
