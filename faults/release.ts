import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isSatisfied, packagesForThisMachine } from '../scripts/installation.mjs'

const root = join(import.meta.dirname, '..')

/** The release that runs today, from which an upgrade begins: a tag or commit, by default that of the version before. */
export const formerRelease = process.env.UPGRADE_FROM || 'v0.1.0'

/**
 * A folder with the tree of a release, ready to run; kept in `.cache` for the next run. Throws when the repository does not have it. Its packages are
 * those of this tree where they are the same, or else are installed.
 */
export function releaseFolder(name: string): string {
  const git = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
    cwd: root,
    encoding: 'utf8',
  })
  const commit = git.stdout?.trim()
  if (!commit)
    throw new Error(
      `This repository has no release "${name}": fetch its tags (git fetch --tags), or name another one by --from.`,
    )
  const folder = join(root, '.cache', `release-${commit}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  try {
    const tree = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', unfinished], { input: tree })
    const record = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8'))
    if (isSatisfied(packagesForThisMachine(unfinished), record.packages)) {
      symlinkSync(join(root, 'node_modules'), join(unfinished, 'node_modules'))
      symlinkSync(join(root, 'dist'), join(unfinished, 'dist'))
    } else
      execFileSync(process.execPath, ['scripts/bootstrap.mjs', 'scripts/portal-build.ts'], {
        cwd: unfinished,
        stdio: 'inherit',
      })
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}
