import pg from 'pg'

/** A node that has no database of ours to reach. */
export class WrongNodeError extends Error {
  constructor(node: string) {
    super(`${node} is no address of a node: write host:port.`)
    this.name = 'WrongNodeError'
  }
}

/** Reads `host:port`. Throws {@link WrongNodeError}. */
export const asNode = (text: string) => {
  const [, host, port] = /^([^:\s]+):(\d+)$/.exec(text) ?? []
  if (host === undefined || port === undefined) throw new WrongNodeError(text)
  return { host, port }
}

/** Runs work on one connection. */
async function on<T>(url: URL, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Makes the database at `coordinatorUrl` the coordinator of the nodes, each as `host:port` with the same users and the same name of the
 * database: creates the database and the extension where they are missing and adds the nodes. `say` receives each finished step. Returns
 * the number of steps; 0 if everything is there.
 */
export async function joinNodes(
  coordinatorUrl: string,
  nodes: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  const coordinator = new URL(coordinatorUrl)
  const name = decodeURIComponent(coordinator.pathname.slice(1))
  const workers = nodes.map(asNode)
  let steps = 0
  const done = (line: string) => {
    steps += 1
    say(line)
  }
  const extend = async (url: URL) => {
    const made = await on(url, async (client) => {
      const { rowCount } = await client.query(`select 1 from pg_extension where extname = 'citus'`)
      if (rowCount === 0) await client.query('create extension citus')
      return rowCount === 0
    })
    if (made) done(`${url.host}: extension citus created`)
  }
  const likeCoordinator = await on(coordinator, async (client) => {
    const { rows } = await client.query<{ encoding: string; collate: string; ctype: string }>(
      `select pg_encoding_to_char(encoding) as encoding, datcollate as collate, datctype as ctype
       from pg_database where datname = current_database()`,
    )
    return rows[0]
  })
  for (const { host, port } of workers) {
    const server = new URL(coordinator)
    server.hostname = host
    server.port = port
    server.pathname = '/postgres'
    const isNew = await on(server, async (client) => {
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
      if (rowCount === 0 && likeCoordinator) {
        const { encoding, collate, ctype } = likeCoordinator
        const [as, sorted, typed] = [encoding, collate, ctype].map((text) => client.escapeLiteral(text))
        await client.query(
          `create database ${client.escapeIdentifier(name)} template template0 encoding ${as} lc_collate ${sorted} lc_ctype ${typed}`,
        )
      }
      return rowCount === 0
    })
    if (isNew) done(`${server.host}: database ${name} created`)
    server.pathname = coordinator.pathname
    await extend(server)
  }
  await extend(coordinator)
  await on(coordinator, async (client) => {
    const { rows } = await client.query<{ host: string; port: number; groupid: number }>(
      'select nodename as host, nodeport as port, groupid from pg_dist_node',
    )
    if (!rows.some(({ groupid }) => groupid === 0)) {
      const port = Number(coordinator.port || 5432)
      await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.hostname, port])
      done(`${coordinator.host}: coordinator`)
    }
    for (const { host, port } of workers) {
      if (rows.some((node) => node.host === host && node.port === Number(port))) continue
      await client.query('select citus_add_node($1, $2)', [host, Number(port)])
      done(`${host}:${port}: node added`)
    }
  })
  return steps
}
