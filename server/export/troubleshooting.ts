import { sql } from 'kysely'
import { fromWire } from '#contract/frame/instant.ts'
import { masterAlarmsMatching } from '../api/alarms/troubleshooting.ts'
import { givenForAll } from './given.ts'
import { alarmNamesIn } from './speech.ts'

/** Every code of an alarm, as filtered and sorted. A file is passed on, so who wrote the texts stands in none. */
export const masterAlarmsSource = givenForAll<
  'masterAlarms',
  'name' | 'code' | 'criticity' | 'source' | 'category' | 'languages' | 'updatedAt'
>({
  fields: {
    name: 'text',
    code: 'text',
    criticity: 'bigint',
    source: 'text',
    category: 'text',
    languages: 'text[]',
    updatedAt: 'timestamptz',
  },
  columns: {
    code: {
      alarm: { heading: 'troubleshooting:column.alarm', kind: 'text', sql: sql`r.name` },
      code: { heading: 'alarm:fact.code', kind: 'text', sql: sql`r.code` },
    },
    criticity: {
      criticity: {
        heading: 'troubleshooting:column.criticity',
        kind: 'word',
        of: 'alarmCriticity',
        sql: sql`r.criticity`,
      },
    },
    source: {
      source: { heading: 'troubleshooting:column.source', kind: 'word', of: 'alarmSource', sql: sql`r.source` },
    },
    category: {
      category: { heading: 'troubleshooting:column.category', kind: 'word', of: 'alarmCategory', sql: sql`r.category` },
    },
    languages: {
      languages: { heading: 'troubleshooting:column.languages', kind: 'words', of: 'language', sql: sql`r.languages` },
    },
    updatedAt: {
      updatedAt: { heading: 'troubleshooting:column.updated', kind: 'instant', sql: sql`r."updatedAt"` },
    },
  },
  rowsOf: async (_, { filter, ord, ordType, language }, reader) => {
    const alarmName = alarmNamesIn(language)
    const alarms = await masterAlarmsMatching(reader.doors, { ...filter, ord, ordType }, reader)
    return alarms.map(({ updatedBy: _by, updatedAt, ...alarm }) => ({
      ...alarm,
      name: alarmName(alarm.code),
      updatedAt: updatedAt && fromWire(updatedAt),
    }))
  },
})
