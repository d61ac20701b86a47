import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { holdConnection } from '../postgres/held-connection.ts'

/**
 * A worker process is alive while it holds the advisory lock of its id; the database releases it the moment the
 * connection ends. A worker that finds another's lock free releases that worker's jobs.
 */
export interface Life {
  /** Adds a name under which this process locks jobs. */
  add(workerId: string): Promise<void>
  /** Removes a name. */
  remove(workerId: string): Promise<void>
  /** Releases the jobs of dead processes. Returns the names under which they held them. */
  releaseDead(release: (workerIds: string[]) => Promise<void>): Promise<string[]>
  stop(): Promise<void>
}

const lockOf = `hashtextextended('gettone.worker:' || $1::text, 0)`

/** `adminUrl` is the owner's: the queue belongs to it. */
export async function startLife(adminUrl: string, log: Logger): Promise<Life> {
  const id = randomUUID()
  const ownPids = new Set<string>()
  // Other workers consider this process dead while this connection is closed.
  const held = await holdConnection(() => ({ connectionString: adminUrl, application_name: 'gettone_worker_life' }), {
    async prepare(client) {
      await client.query(`select pg_advisory_lock(${lockOf})`, [id])
      await client.query(
        `insert into worker_processes (id, worker_ids, started_at) values ($1, $2, now())
           on conflict (id) do update set worker_ids = excluded.worker_ids`,
        [id, [...ownPids]],
      )
    },
    onLost: (error) => log.warn({ err: error }, 'Worker lost its lock'),
    onBack: () => log.info('Worker has its lock again'),
  })

  async function noteNames(): Promise<void> {
    const { client } = held
    try {
      await client?.query('update worker_processes set worker_ids = $2 where id = $1', [id, [...ownPids]])
    } catch (error) {
      // The next connection writes them first.
      if (held.client === client) throw error
    }
  }

  return {
    add(workerId) {
      ownPids.add(workerId)
      return noteNames()
    },
    remove(workerId) {
      ownPids.delete(workerId)
      return noteNames()
    },
    async releaseDead(release) {
      const { client } = held
      if (!client) return []
      const { rows } = await client.query<{ id: string; worker_ids: string[] }>(
        'select id, worker_ids from worker_processes where id <> $1',
        [id],
      )
      const buried: string[] = []
      for (const other of rows) {
        const { rows: locked } = await client.query<{ is: boolean }>(`select pg_try_advisory_lock(${lockOf}) as is`, [
          other.id,
        ])
        if (!locked[0]?.is) continue
        try {
          await release(other.worker_ids)
          await client.query('delete from worker_processes where id = $1', [other.id])
          buried.push(...other.worker_ids)
        } finally {
          await client.query(`select pg_advisory_unlock(${lockOf})`, [other.id])
        }
      }
      return buried
    },
    async stop() {
      await held.client?.query('delete from worker_processes where id = $1', [id]).catch(() => {})
      await held.close()
    },
  }
}
