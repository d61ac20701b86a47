import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isSatisfied, packagesForThisMachine } from '../scripts/installation.mjs'

const root = join(import.meta.dirname, '..')

const versionBefore = 'v0.1.0'
/** The release that runs today, from which an upgrade begins: a tag or commit, by default that of the version before. */
export const formerRelease = process.env.UPGRADE_FROM || versionBefore

/** The commit of a tag or another name; undefined if the repository does not have it. */
function commitOf(name: string): string | undefined {
  const named = ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]
  return spawnSync('git', named, { cwd: root, encoding: 'utf8' }).stdout?.trim() || undefined
}

/** The last commit of the version before, for a clone without tags. */
function lastOfVersionBefore(): string | undefined {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const change = ['log', '--format=%H', `-S"version": "${version}"`, '--', 'package.json']
  const commits = spawnSync('git', change, { cwd: root, encoding: 'utf8' }).stdout?.trim().split('\n')
  return commitOf(`${commits?.at(-1)}^`)
}

/**
 * A folder with the tree of a release, ready to run; kept in `.cache` for the next run. Throws when the repository does not have it. Its packages are
 * those of this tree where they are the same, or else are installed.
 */
export function releaseFolder(name: string): string {
  const commit = commitOf(name) ?? (name === versionBefore ? lastOfVersionBefore() : undefined)
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
