import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 30_000 })

/** A folder with a program that notes when its work begins and ends; `dies`: in the middle of it. */
function aWorkplace() {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-only-one-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'work.mts')
  const journal = join(folder, 'journal')
  writeFileSync(
    program,
    `import { appendFileSync } from 'node:fs'
    import { setTimeout } from 'node:timers/promises'
    import { onlyOne } from ${JSON.stringify(join(import.meta.dirname, 'only-one.ts'))}
    const [name, dies] = process.argv.slice(2)
    const note = (what) => appendFileSync(${JSON.stringify(journal)}, name + ' ' + what + '\\n')
    await onlyOne(${JSON.stringify(join(folder, 'lock'))}, async () => {
      note('begins')
      await setTimeout(50)
      if (dies) process.kill(process.pid, 'SIGKILL')
      note('ends')
    })`,
  )
  appendFileSync(journal, '')
  return {
    work: async (name: string, ...dies: string[]) => {
      const [code] = await once(spawn(process.execPath, [program, name, ...dies], { stdio: 'inherit' }), 'exit')
      return code as number | null
    },
    lines: () => readFileSync(journal, 'utf8').split('\n').filter(Boolean),
  }
}

test('processes work one after another, also after a process that was killed', async () => {
  const { work, lines } = aWorkplace()
  expect(await Promise.all([work('one'), work('two'), work('killed', 'dies')])).toEqual([0, 0, null])
  expect(await work('last')).toBe(0)
  const log = lines()
  expect(log).toHaveLength(7)
  for (const name of ['one', 'two', 'last']) expect(log[log.indexOf(`${name} begins`) + 1]).toBe(`${name} ends`)
})
