import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lineOf, openInboxFolder, rowsOf } from '../inbox/inbox-folder.ts'
import { UsageError } from './usage.ts'

const patienceMs = 120_000

/** Sends audit files of many machines from a folder to a portal, or with `--preview` says once what would happen to them. Returns the exit code. */
export async function inboxCommand(args: string[]): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: { folder: text, portal: text, merchant: text, 'token-file': text, preview: { type: 'boolean' } },
  })
  const { folder, portal, merchant } = values
  const tokenFile = values['token-file']
  if (!folder || !portal || !merchant || !tokenFile)
    throw new UsageError('Give --folder, --portal, --merchant and --token-file.')
  const token = readFileSync(tokenFile, 'utf8').trim()
  const call = async (what: '' | '/preview', files: { name: string; data: string }[]) => {
    const answer = await fetch(new URL(`/api/v1/merchants/${merchant}/audit-files${what}`, portal), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ files }),
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    })
    if (!answer.ok) throw new Error(`The portal answers ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
    return rowsOf(await answer.json())
  }
  if (values.preview) {
    for (const name of readdirSync(folder).filter((each) => /\.(eva|dex|dts|txt|json)$/i.test(each)))
      for (const row of await call('/preview', [{ name, data: readFileSync(join(folder, name)).toString('base64') }]))
        console.info(lineOf(row))
    return 0
  }
  const inbox = openInboxFolder(folder, { store: (files) => call('', files), say: (line) => console.info(line) })
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  inbox.close()
  return 0
}
