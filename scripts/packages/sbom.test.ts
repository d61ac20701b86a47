import { expect, test } from 'vitest'
import { readLock, rootPackages, sbomOf } from './sbom.ts'

const lock = readLock()
const sbom = sbomOf(lock, rootPackages(lock.packages[''] ?? {}))
const names = new Set(sbom.components.map(({ name }) => name))

test('lists the packages of the server and of the pages, with all that they need, and no tool of tests or checks', () => {
  expect(names.size).toBeGreaterThan(300)
  // Direct, built into the pages, and needed by others.
  for (const name of ['fastify', 'react', '@mantine/core', 'maplibre-gl', 'world-atlas', 'find-my-way', 'koa'])
    expect(names).toContain(name)
  for (const name of ['vitest', 'typescript', 'vite', 'playwright-core', 'jsdom', '@biomejs/biome', 'fast-check'])
    expect(names).not.toContain(name)
})

test('each package has its exact version, its address and the checksum of the lock file, once', () => {
  for (const { name, version, purl, hashes, 'bom-ref': ref } of sbom.components) {
    expect(ref).toBe(`${name}@${version}`)
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
    expect(hashes?.[0]?.content, ref).toMatch(/^[\da-f]{128}$/)
  }
  const refs = sbom.components.map((one) => one['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  const known = new Set([...refs, sbom.metadata.component['bom-ref']])
  expect(sbom.dependencies).toHaveLength(known.size)
  for (const { ref, dependsOn } of sbom.dependencies)
    for (const one of [ref, ...dependsOn]) expect(known, one).toContain(one)
})

test('a package is found as Node finds it: in the folder of the package in need, then outside', () => {
  const packages = {
    '': { name: 'own', version: '1.0.0', dependencies: { a: '^1', b: '^1' } },
    'node_modules/a': { version: '1.0.0', dependencies: { b: '^2', absent: '^1' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { c: '^1' } },
    'node_modules/b': { version: '1.0.0' },
    'node_modules/c': { version: '1.0.0', license: '(MIT OR Apache-2.0)' },
    'node_modules/tool': { version: '1.0.0' },
  }
  const { components, dependencies } = sbomOf({ packages }, ['a', 'b'])
  expect(components.map((one) => one['bom-ref'])).toEqual(['a@1.0.0', 'b@1.0.0', 'b@2.0.0', 'c@1.0.0'])
  expect(components[3]?.licenses).toEqual([{ expression: '(MIT OR Apache-2.0)' }])
  expect(dependencies).toContainEqual({ ref: 'a@1.0.0', dependsOn: ['b@2.0.0'] })
  expect(dependencies[0]).toEqual({ ref: 'own@1.0.0', dependsOn: ['a@1.0.0', 'b@1.0.0'] })
})

test('does not depend on the moment: nothing in it is a time or a number of this run', () => {
  const text = JSON.stringify(sbom)
  expect(text).not.toMatch(/serialNumber|timestamp|urn:uuid/)
  expect(JSON.stringify(sbomOf(readLock(), rootPackages(lock.packages[''] ?? {}).toReversed()))).toBe(text)
})
