// npm run release:api says what has changed for integrations since the last release, and keeps the public API of this version, with which
// later ones are compared. Run it when a version is released.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareApis } from './compare.ts'
import { type PublicApi, publicApi, textOfApi } from './public-api.ts'

const root = join(import.meta.dirname, '..', '..')
const place = join(root, 'client', 'released.json')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const before = JSON.parse(readFileSync(place, 'utf8')) as { version: string; api: PublicApi }
const api = publicApi()
for (const { kind, at, what } of compareApis(before.api, api)) console.log(`${kind}: ${at} ${what}`)
writeFileSync(place, textOfApi(version, api))
console.log(`client/released.json is that of ${version}; before it was that of ${before.version}.`)
