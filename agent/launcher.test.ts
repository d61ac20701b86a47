import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mostStarts, openVersions } from './updates/versions.ts'
import { agentVersion } from './version.ts'

const commandId = '0190a0a0-0000-7000-8000-000000000001'

/** A folder where version 9.0.0.0 works and 9.1.0.0, with this program, is on trial. */
function onTrial(program: string) {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const versions = openVersions(folder, agentVersion)
  const release = (version: string, text: string) => ({
    version,
    files: [{ name: 'main.mjs', content: Buffer.from(text) }],
  })
  versions.install(release('9.0.0.0', 'console.log("the former one")'), { former: agentVersion, commandId })
  versions.confirm()
  versions.forget()
  versions.install(release('9.1.0.0', program), { former: '9.0.0.0', commandId })
  return { folder, versions }
}

/** One start of the agent, as systemd does it. */
async function start(folder: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'launcher.ts'), ...args, '--folder', folder], {
    env: { ...process.env, GETTONE_AGENT_TRIAL_SECONDS: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.on('data', (bytes: Buffer) => {
    text += bytes.toString()
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { code, signal, text: text.trim() }
}

test('a version that fails is started three times, and then the former one', async () => {
  const { folder, versions } = onTrial('throw new Error("broken")')
  for (let time = 0; time < 3; time++) expect((await start(folder, 'run')).code).toBe(1)
  expect(await start(folder, 'run')).toMatchObject({ code: 0, text: 'the former one' })
  expect(versions.ended()).toMatchObject({ commandId, outcome: 'error' })
})

test('a version that hangs is ended when its time is over, and the former one is next', async () => {
  const { folder, versions } = onTrial('for (;;) {}')
  expect((await start(folder, 'run')).signal).toBe('SIGKILL')
  expect(versions.ended()).toMatchObject({ info: expect.stringContaining('did not reach the portal within 1 seconds') })
  expect(await start(folder, 'run')).toMatchObject({ code: 0, text: 'the former one' })
})

test('a version that has reached the portal is not ended', async () => {
  const mark = 'import { writeFileSync } from "node:fs"; writeFileSync(process.argv.at(-1) + "/ran", "")'
  const { folder, versions } = onTrial(`${mark}; setTimeout(() => console.log("still here"), 2500)`)
  const running = start(folder, 'run')
  await expect.poll(() => readFileSync(join(folder, 'ran'), 'utf8'), { timeout: 20_000 }).toBe('')
  versions.confirm()
  expect(await running).toMatchObject({ code: 0, text: 'still here' })
})

test('other commands run the same version, and count no start', async () => {
  const { folder, versions } = onTrial('console.log("on trial", process.argv[2])')
  expect(await start(folder, 'help')).toMatchObject({ text: 'on trial help' })
  // All starts are left.
  for (let time = 0; time < mostStarts; time++) expect(versions.start().isOnTrial).toBe(true)
  expect(versions.trial()).toEqual({ version: '9.1.0.0', commandId })
})

test('root runs no program of another user', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('Only root can own nothing here.')
  const { folder } = onTrial('console.log("must not run")')
  chownSync(folder, 65_534, 65_534)
  // From the sources there is no program of a package.
  expect(await start(folder, 'run')).toMatchObject({ code: 1, text: '' })
})
