import { sql } from 'kysely'
import { fromWire } from '#contract/frame/instant.ts'
import { givenForAll } from '../../export/given.ts'
import { alarmNamesIn } from '../../export/speech.ts'
import { masterAlarmsMatching } from './troubleshooting.ts'

/** Every alarm code, filtered and sorted. Files are shared, so they do not name the authors of the texts. */
export const masterAlarmsSource = givenForAll<
  'masterAlarms',
  'name' | 'code' | 'criticity' | 'source' | 'category' | 'languages' | 'updatedAt'
>({
  list: 'masterAlarms',
  fields: {
    name: 'text',
    code: 'text',
    criticity: 'bigint',
    source: 'text',
    category: 'text',
    languages: 'text[]',
    updatedAt: 'timestamptz',
  },
  values: {
    alarm: sql`r.name`,
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
