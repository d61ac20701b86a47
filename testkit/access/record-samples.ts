import type { z } from 'zod'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import { type ExportList, exportLists } from '#contract/export/export-lists.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import type { IdName } from '#contract/frame/ids.ts'
import { capital, type Plural, plural, type RecordNoun, recordNouns } from '#contract/vocabulary/record-nouns.ts'
import type { AnyInput, TestApi, TestUser } from '../api.ts'
import { aFirmware, withFile } from '../nouns/updates.ts'
import type { Aim } from './aim.ts'
import { leastOf } from './id-fields.ts'

/* Sample calls of records that users edit, and records for them, built from the schema of a new record. */

/** The types of sampled machines: an update is for both. */
const deviceTypes = ['AZVT', 'CUNI'] as const

/** Rules from different versions do not contradict. */
const aRule = {
  target: { by: 'deviceTypes', deviceTypes: ['CUNI'] },
  get fromVersions() {
    return [`0.0.0.${Math.floor(Math.random() * 1e8)}`]
  },
}

/** Fields of a new record whose rules are not in its schema. */
const examples: { readonly [N in SampledNoun]?: Readonly<Record<string, unknown>> } = {
  client: { country: 'IT' },
  webhook: { url: 'https://erp.example.com/gettone' },
  vpConfiguration: { deviceType: 'AZVT' },
  noVendProfile: { selections: ['1'], windows: [{ days: [1], from: '08:00', to: '12:00' }] },
  cashDatabase: { deviceTypes },
  firmwareRule: aRule,
  cashDatabaseRule: aRule,
}

/** Groups decide what users see, so their samples are written by hand. */
export type SampledNoun = Exclude<RecordNoun, 'group'>
export const sampledNouns = recordNouns.filter((noun) => noun !== 'group')

/** The calls of every record. */
export type RecordCall = {
  [N in SampledNoun]: `${'get' | 'create' | 'update' | 'delete'}${Capitalize<N>}` | `list${Plural<Capitalize<N>>}`
}[SampledNoun]

/** The noun whose list is exported; undefined for lists of other rows. */
export const nounOfList = (list: ExportList): SampledNoun | undefined =>
  sampledNouns.find((noun) => exportLists[list].row === rowOf(`list${plural(capital(noun))}`))

const rowOf = (name: string) => (endpoints as unknown as Record<string, AnyEndpoint>)[name] as AnyEndpoint
const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as IdName)

const paramsOf = ({ path }: AnyEndpoint, aim: Partial<Aim>) => ({
  params: Object.fromEntries(namesIn(path).map((name) => [name, aim[name]])),
})

/** The body of a new record, with unique texts and the ids of the aim. */
const bodyOf = (noun: SampledNoun, aim: Partial<Aim>): object => ({
  ...(leastOf(rowOf(`create${capital(noun)}`).body as z.ZodType, (id) => aim[id as IdName] ?? '') as object),
  ...examples[noun],
  // Users of some groups change rules of these groups only.
  ...(noun.endsWith('Rule') && aim.groupId && { target: { by: 'groups', groupIds: [aim.groupId] } }),
})

/** The same for an edit, whose schema may lack what only a new record is given. */
function editBodyOf(noun: SampledNoun, aim: Partial<Aim>): object {
  const { shape } = rowOf(`update${capital(noun)}`).body as z.ZodObject
  return Object.fromEntries(Object.entries(bodyOf(noun, aim)).filter(([name]) => !shape || name in shape))
}

function samplesOf(noun: SampledNoun): [string, { input: (aim: Aim) => AnyInput }][] {
  const call = (name: string, body?: (aim: Aim) => object): [string, { input: (aim: Aim) => AnyInput }] => [
    name,
    { input: (aim) => ({ ...paramsOf(rowOf(name), aim), ...(body && { body: body(aim) }) }) },
  ]
  return [
    call(`list${plural(capital(noun))}`),
    call(`get${capital(noun)}`),
    call(`create${capital(noun)}`, (aim) => bodyOf(noun, aim)),
    call(`update${capital(noun)}`, (aim) => ({ ...editBodyOf(noun, aim), version: 1 })),
    call(`delete${capital(noun)}`),
  ]
}

/** A valid call of each of them. */
export const recordSamples = Object.fromEntries(sampledNouns.flatMap(samplesOf)) as Record<
  RecordCall & EndpointName,
  { input: (aim: Aim) => AnyInput }
>

/** What creates records: the test API, or a running product. */
export interface RecordMaker {
  database: TestApi['database']
  send(...call: Parameters<TestApi['send']>): Promise<{ statusCode: number; payload: string }>
}

/** Creates a record of the aim's merchant. Returns its id. */
export async function aRecord(
  api: RecordMaker,
  user: TestUser,
  noun: SampledNoun,
  overrides: Partial<Aim>,
): Promise<string> {
  const aim = { ...overrides }
  if (noun === 'firmwareRule') {
    aim.firmwareId ??= await aFirmware(api.database, { deviceTypes: [...deviceTypes] })
    await withFile(api.database, 'firmwares', aim.firmwareId)
  }
  if (noun === 'cashDatabaseRule') {
    aim.cashDatabaseId ??= await aRecord(api, user, 'cashDatabase', overrides)
    await withFile(api.database, 'cash_databases', aim.cashDatabaseId)
  }
  // A machine has one licence at a time.
  if (noun === 'licence' && aim.posId)
    await api.database.admin(
      `update licences set status = 5, unassign_case = 'licenceEnd' where machine_id = $1 and status < 5`,
      [aim.posId],
    )
  const name = `create${capital(noun)}` as const
  const [merchant] = await api.database.admin<{ currency: string }>('select currency from merchants where id = $1', [
    aim.merchantId,
  ])
  const body = { ...bodyOf(noun, aim), ...(noun === 'cashDatabase' && { currency: merchant?.currency }) }
  const answer = await api.send(name, { ...paramsOf(rowOf(name), aim), body }, user)
  if (answer.statusCode !== 201)
    throw new Error(`A sample of ${noun} is refused; give it an example in record-samples.ts: ${answer.payload}`)
  return (JSON.parse(answer.payload) as { id: string }).id
}
